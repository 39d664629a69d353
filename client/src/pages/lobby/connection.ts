// The lobby's websocket: it comes back by itself and asks again for what was asked for last.
import { BACKOFF_MS, BACKOFF_MS_MAX, SILENCE_MS, type Socket, type Status, type World } from '../../wire/connection'
import type { Filter, LobbyAnswer, Ping } from '../../wire/messages'

export const PATIENCE_MS = 1_500

export interface Listener {
  message(message: LobbyAnswer): void
  status(status: Status): void
}

export class LobbyConnection {
  private socket: Socket | null = null
  private status: Status = 'connecting'
  private attempt = 0
  private failures = 0
  private pings = 0
  private timer = 0
  private again = 0

  constructor(
    private filter: Filter,
    private readonly listener: Listener,
    private readonly world: World,
  ) {
    this.connect()
  }

  /** Ask for other tables, now or as soon as there is a connection. */
  ask(filter: Filter): void {
    this.filter = filter
    if (this.status === 'open') this.send(filter)
  }

  /** Try at once: the network is back, or the page is looked at again. */
  nudge(): void {
    if (this.status === 'ended') return
    if (this.status === 'open') this.ping()
    else if (!this.socket) this.connect()
  }

  end(): void {
    if (this.status === 'ended') return
    this.set('ended')
    this.drop()
  }

  private connect(): void {
    this.world.forget(this.timer)
    const attempt = ++this.attempt
    const hear = (then: () => void): void => {
      if (attempt === this.attempt) then()
    }
    this.socket = this.world.open({
      open: () => hear(() => this.send(this.filter)),
      message: (text) => hear(() => this.receive(JSON.parse(text) as LobbyAnswer)),
      close: () => hear(() => this.lose()),
    })
    this.timer = this.world.after(2 * SILENCE_MS, () => this.lose())
  }

  private receive(message: LobbyAnswer): void {
    this.world.forget(this.timer)
    this.timer = this.world.after(SILENCE_MS, () => this.ping())
    if (message.t === 'tables') {
      this.failures = 0
      this.set('open')
    }
    if (message.t === 'fault' && message.code === 'not_so_fast') {
      this.world.forget(this.again)
      this.again = this.world.after(PATIENCE_MS, () => this.send(this.filter))
    }
    this.listener.message(message)
  }

  private send(message: Filter | Ping): void {
    this.socket?.send(JSON.stringify(message))
  }

  private ping(): void {
    this.world.forget(this.timer)
    this.send({ t: 'ping', n: ++this.pings })
    this.timer = this.world.after(SILENCE_MS, () => this.lose())
  }

  private lose(): void {
    this.drop()
    if (this.status === 'ended') return
    this.set('lost')
    const most = Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** this.failures++)
    this.timer = this.world.after(most * (0.5 + this.world.chance() / 2), () => this.connect())
  }

  private drop(): void {
    this.world.forget(this.timer)
    this.world.forget(this.again)
    this.attempt++
    this.socket?.close()
    this.socket = null
  }

  private set(status: Status): void {
    if (status === this.status) return
    this.status = status
    this.listener.status(status)
  }
}

/** The world of a page: its sockets at *path*, its clock, its chance. */
export function world(path: string): World {
  return {
    open(listener) {
      const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
      const socket = new WebSocket(`${scheme}://${location.host}${path}`)
      socket.onopen = () => listener.open()
      socket.onmessage = (event) => listener.message(String(event.data))
      socket.onclose = () => listener.close()
      return socket
    },
    after: (ms, then) => window.setTimeout(then, ms),
    forget: (timer) => clearTimeout(timer),
    chance: Math.random,
  }
}
