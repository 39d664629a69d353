// One table's websocket: it comes back by itself, and no command is lost or doubled on the way.
import { VERSION, type ClientMessage, type Hello, type Ping, type Say, type ServerMessage } from './messages'

/** A command has an id of its own, so that sending it again is harmless. What is said is none: it is heard now or not at all. */
export type Command = Exclude<ClientMessage, Hello | Ping | Say>

export type Status = 'connecting' | 'open' | 'lost' | 'ended'

export interface Listener {
  message(message: ServerMessage): void
  status(status: Status): void
  /** The last `seq` that this page has, if it has any. */
  since(): number | undefined
}

/** An attempt to reach the table. */
export interface Socket {
  send(text: string): void
  close(): void
}

/** What a socket tells. */
export interface SocketListener {
  open(): void
  message(text: string): void
  /** It is closed, or could not be opened. */
  close(): void
}

/** What a connection needs of the world; tests bring their own. */
export interface World {
  open(listener: SocketListener): Socket
  after(ms: number, then: () => void): number
  forget(timer: number): void
  /** Between 0 and 1. */
  chance(): number
}

export const SILENCE_MS = 5_000
export const BACKOFF_MS = 300
export const BACKOFF_MS_MAX = 8_000

// A page that gets one of these has nothing to gain from coming back.
const FINAL = new Set(['taken_over', 'version', 'no_table'])

export class Connection {
  private socket: Socket | null = null
  private status: Status = 'connecting'
  private attempt = 0
  private failures = 0
  private pings = 0
  private timer = 0
  private readonly unanswered = new Map<string, Command>()

  constructor(
    private readonly listener: Listener,
    private readonly world: World,
  ) {
    this.connect()
  }

  /** Send *command* now, or as soon as there is a connection; again after a lost one, until it is answered. */
  send(command: Command): void {
    this.unanswered.set(command.id, command)
    if (this.status === 'open') this.socket?.send(JSON.stringify(command))
  }

  /** Say something to the table, if there is a connection; it is never said again. */
  say(what: Say): void {
    if (this.status === 'open') this.socket?.send(JSON.stringify(what))
  }

  /** Go on after the server has ended it: the seat is taken over again, and what was not answered is sent once more. */
  resume(): void {
    if (this.status !== 'ended') return
    this.failures = 0
    this.set('connecting')
    this.connect()
  }

  /** Whether the command *id* still waits for its answer. */
  waits(id: string): boolean {
    return this.unanswered.has(id)
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
    // A socket that was given up may still speak: only the present one is heard.
    const attempt = ++this.attempt
    const hear = (then: () => void): void => {
      if (attempt === this.attempt) then()
    }
    this.socket = this.world.open({
      open: () => hear(() => this.greet()),
      message: (text) => hear(() => this.receive(JSON.parse(text) as ServerMessage)),
      close: () => hear(() => this.lose()),
    })
    // A connection that never opens is given up like one that has gone silent.
    this.timer = this.world.after(2 * SILENCE_MS, () => this.lose())
  }

  private greet(): void {
    this.socket?.send(JSON.stringify({ t: 'hello', v: VERSION, since: this.listener.since() } satisfies Hello))
    this.listen()
  }

  private receive(message: ServerMessage): void {
    this.listen()
    if (message.t === 'ack' || message.t === 'refused') this.unanswered.delete(message.id)
    if (message.t === 'welcome') {
      this.failures = 0
      this.set('open')
      for (const command of this.unanswered.values()) this.socket?.send(JSON.stringify(command))
    }
    this.listener.message(message)
    if (message.t === 'fault' && FINAL.has(message.code)) this.end()
  }

  private listen(): void {
    this.world.forget(this.timer)
    if (this.status !== 'ended') this.timer = this.world.after(SILENCE_MS, () => this.ping())
  }

  private ping(): void {
    this.world.forget(this.timer)
    this.socket?.send(JSON.stringify({ t: 'ping', n: ++this.pings } satisfies Ping))
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
