// The lobby's websocket: it comes back by itself and asks again for what was asked for last.
import { Returning, type Hearer, type World } from '../../wire/connection'
import type { Filter, LobbyAnswer } from '../../wire/messages'

export const PATIENCE_MS = 1_500

export type Listener = Hearer<LobbyAnswer>

export class LobbyConnection extends Returning<LobbyAnswer> {
  private again = 0

  constructor(
    private filter: Filter,
    private readonly listener: Listener,
    world: World,
  ) {
    super(listener, world)
    this.connect()
  }

  /** Ask for other tables, now or as soon as there is a connection. */
  ask(filter: Filter): void {
    this.filter = filter
    if (this.status === 'open') this.write(filter)
  }

  protected greet(): void {
    this.write(this.filter)
  }

  protected receive(message: LobbyAnswer): void {
    if (message.t === 'tables') this.reached()
    if (message.t === 'fault' && message.code === 'not_so_fast') {
      this.world.forget(this.again)
      this.again = this.world.after(PATIENCE_MS, () => this.write(this.filter))
    }
    this.listener.message(message)
  }

  protected override drop(): void {
    this.world.forget(this.again)
    super.drop()
  }
}
