// Websockets that come back by themselves; and a table's, on whose way no command is lost or doubled.
import { VERSION, type ClientMessage, type Hello, type Ping, type Say, type ServerMessage } from './messages'

/** A command has an id of its own, so that sending it again is harmless. What is said is none: it is heard now or not at all. */
export type Command = Exclude<ClientMessage, Hello | Ping | Say>

export type Status = 'connecting' | 'open' | 'lost' | 'ended'

export interface Hearer<Message> {
  message(message: Message): void
  status(status: Status): void
}

export interface Listener extends Hearer<ServerMessage> {
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
/** Whoever only listens, as a spectator does at a brisk table, says something so often: the server drops who has said nothing for 30 s. */
export const QUIET_MS = 10_000
/** So long an answer may take where the browser says that there is no network. */
export const DOUBT_MS = 1_500
export const BACKOFF_MS = 300
export const BACKOFF_MS_MAX = 8_000

// A page that gets one of these has nothing to gain from coming back.
const FINAL = new Set(['taken_over', 'version', 'no_table', 'crowded'])

/** A websocket that is opened again whenever it is lost, and asked for a sign of life when it has been silent. */
export abstract class Returning<Message> {
  protected status: Status = 'connecting'
  private socket: Socket | null = null
  private attempt = 0
  protected failures = 0
  private pings = 0
  private timer = 0
  private quiet = 0

  constructor(
    private readonly hearer: Hearer<Message>,
    protected readonly world: World,
  ) {}

  /** Say the first words of a new socket. */
  protected abstract greet(): void

  /** Take in a message; `reached` once it shows that the server has answered the first words. */
  protected abstract receive(message: Message): void

  /** Try at once: the network is back, or the page is looked at again. */
  nudge(): void {
    if (this.status === 'ended') return
    if (this.status === 'open') this.ping()
    else if (!this.socket) this.connect()
  }

  /** Ask for a sign of life, and wait for it but a moment: the browser says that there is no network, which it may be wrong about. */
  doubt(): void {
    if (this.status === 'open') this.ping(DOUBT_MS)
  }

  end(): void {
    if (this.status === 'ended') return
    this.set('ended')
    this.drop()
  }

  protected connect(): void {
    this.world.forget(this.timer)
    // A socket that was given up may still speak: only the present one is heard.
    const attempt = ++this.attempt
    const hear = (then: () => void): void => {
      if (attempt === this.attempt) then()
    }
    this.socket = this.world.open({
      open: () => hear(() => {
        this.greet()
        this.listen()
      }),
      message: (text) => hear(() => {
        this.listen()
        this.receive(JSON.parse(text) as Message)
      }),
      close: () => hear(() => this.lose()),
    })
    // A connection that never opens is given up like one that has gone silent.
    this.timer = this.world.after(2 * SILENCE_MS, () => this.lose())
  }

  protected write(message: object): void {
    this.socket?.send(JSON.stringify(message))
    this.world.forget(this.quiet)
    this.quiet = this.world.after(QUIET_MS, () => this.ping())
  }

  protected reached(): void {
    this.failures = 0
    this.set('open')
  }

  protected set(status: Status): void {
    if (status === this.status) return
    this.status = status
    this.hearer.status(status)
  }

  protected drop(): void {
    this.world.forget(this.timer)
    this.world.forget(this.quiet)
    this.attempt++
    this.socket?.close()
    this.socket = null
  }

  private listen(): void {
    this.world.forget(this.timer)
    if (this.status !== 'ended') this.timer = this.world.after(SILENCE_MS, () => this.ping())
  }

  private ping(patience = SILENCE_MS): void {
    this.world.forget(this.timer)
    this.write({ t: 'ping', n: ++this.pings } satisfies Ping)
    this.timer = this.world.after(patience, () => this.lose())
  }

  private lose(): void {
    this.drop()
    if (this.status === 'ended') return
    this.set('lost')
    const most = Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** this.failures++)
    this.timer = this.world.after(most * (0.5 + this.world.chance() / 2), () => this.connect())
  }
}

export class Connection extends Returning<ServerMessage> {
  private readonly unanswered = new Map<string, Command>()

  constructor(
    private readonly listener: Listener,
    world: World,
  ) {
    super(listener, world)
    this.connect()
  }

  /** Send *command* now, or as soon as there is a connection; again after a lost one, until it is answered. */
  send(command: Command): void {
    this.unanswered.set(command.id, command)
    if (this.status === 'open') this.write(command)
  }

  /** Say something to the table, if there is a connection; it is never said again. */
  say(what: Say): void {
    if (this.status === 'open') this.write(what)
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

  protected greet(): void {
    this.write({ t: 'hello', v: VERSION, since: this.listener.since() } satisfies Hello)
  }

  protected receive(message: ServerMessage): void {
    if (message.t === 'ack' || message.t === 'refused') this.unanswered.delete(message.id)
    if (message.t === 'welcome') {
      this.reached()
      for (const command of this.unanswered.values()) this.write(command)
    }
    this.listener.message(message)
    if (message.t === 'fault' && FINAL.has(message.code)) this.end()
  }
}

/** The world of a page: its sockets at *path*, its clock, its chance. */
export function worldOf(path: string): World {
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
