// A table as it lives on this page: its socket, its queue of updates, and what has been sent and not been answered.
import { fly } from '../felt/motion'
import { play as playSound } from '../felt/sounds'
import { sayMore } from '../i18n.svelte'
import { preferences, shelf } from '../preferences.svelte'
import { Connection, worldOf, type Status } from '../wire/connection'
import { findTable } from '../wire/http'
import type {
  Again, Event, Leave, Player, Problem, Ready, Said, Say, SeatBot, ServerMessage, UnseatBot, Update,
} from '../wire/messages'
import { Seeds, type Kept } from '../wire/seeds'
import { hex } from '../wire/sha256'
import { lapsed } from './lapse'
import { offersOf, type Offer } from './offers'
import { awayAfter, type Away } from './presence'
import { Stage } from './stage'
import { EMPTY, type SaidAloud, type State } from './state'

/** A move that has been sent: until the page shows what came of it. */
interface Sent {
  offer: Offer
  /** Where the log has it, once the server has said so. */
  seq?: number
}

/** What is asked of the table between its games, without the id. */
export type Wish = Omit<Again, 'id'> | Omit<Ready, 'id'> | Omit<Leave, 'id'> | Omit<SeatBot, 'id'> | Omit<UnseatBot, 'id'>

const BUBBLE_MS = 1600
const SAID_MS = 2500
const FIND_AGAIN_MS = 2000
/** After these one has nothing more to say until the server has answered. */
const ENDS_TURN = new Set(['take', 'pass', 'accept', 'transfer', 'show'])
const SPEAKING = new Set(['take', 'pass', 'accept', 'transfer', 'show', 'challenge'])

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))

export class LiveTable {
  state = $state.raw<State>(EMPTY)
  status = $state<Status>('connecting')
  /** Why this table cannot be shown at all. */
  problem = $state.raw<Problem | null>(null)
  /** By seat: the event or the phrase that it has just said aloud. */
  bubbles = $state.raw<Record<number, Event | SaidAloud>>({})
  away = $state.raw<Away>({})
  /** How often the server has moved for the viewer because the time was up. */
  lapses = $state(0)
  private sent = $state.raw<ReadonlyMap<string, Sent>>(new Map())
  /** What the server last said may be played, and in which bout; the page may still be showing how it came to that. */
  private newest = $state.raw<{ legal: ReadonlySet<string>; bout: number }>({ legal: new Set(), bout: 0 })

  private connection: Connection | null = null
  private ended = false
  private path = ''
  private received: number
  private seat: number | null = null
  private readonly seeds = new Seeds(shelf, () => random(32))
  private readonly stage = new Stage(
    EMPTY,
    (state) => this.show(state),
    (change, flights, pace) => {
      for (const { name, delay } of flights.sounds) playSound(name, delay * pace)
      return fly(change, flights, pace)
    },
  )

  private asked = ''

  /** *onturn* is called when the table begins to wait for the viewer's attack or defence. */
  constructor(
    readonly id: string,
    private readonly onturn: () => void = () => undefined,
  ) {
    // A page that comes back is told what has happened since this browser last looked.
    this.received = Number(shelf.get(this.shelfKey) ?? 0)
    void this.start()
  }

  /** The moves on offer, without those that are on their way or have been overtaken by what is still to be shown. */
  readonly offers = $derived.by(() => {
    const { seen } = this.state
    const waiting = [...this.sent.values()].map((sent) => sent.offer)
    if (!seen || seen.boutNo !== this.newest.bout || waiting.some((offer) => ENDS_TURN.has(offer.kind))) return []
    const cards = new Set(waiting.flatMap((offer) => offer.cards))
    const places = new Set(waiting.filter((offer) => offer.place !== 'felt').map((offer) => offer.place))
    const free = (offer: Offer): boolean => !places.has(offer.place) && !offer.cards.some((card) => cards.has(card))
    return offersOf(seen.legal.filter((line) => this.newest.legal.has(line))).filter(free)
  })

  readonly sentCards = $derived(new Set([...this.sent.values()].flatMap((sent) => sent.offer.cards)))

  play(offer: Offer): void {
    const id = hex(random(8))
    this.sent = new Map(this.sent).set(id, { offer })
    this.connection?.send({ t: 'play', id, move: offer.text, bout: this.state.seen?.boutNo ?? 0 })
  }

  resign(): void {
    this.connection?.send({ t: 'play', id: hex(random(8)), move: 'resign', bout: this.state.seen?.boutNo ?? 0 })
  }

  takeBack(): void {
    this.connection?.send({ t: 'take_back', id: hex(random(8)), game: this.state.table?.game ?? 0 })
  }

  /** Ask for another game, once: being ready may be taken back, and is then asked for anew. */
  again(): void {
    const { table, seat } = this.state
    if (!table || seat === null || this.connection?.waits(this.asked)) return
    this.asked = hex(random(8))
    this.connection?.send({ t: 'again', id: this.asked, game: table.game })
  }

  /** Say something to everybody at the table; it comes back when the server has let it pass. */
  say(phrase: Say['phrase']): void {
    this.connection?.say({ t: 'say', id: hex(random(8)), phrase })
  }

  /** Take the seat over again from the other window. */
  resume(): void {
    this.connection?.resume()
  }

  /** Be ready or not, leave, seat bots and send them away. */
  wish(wish: Wish): void {
    this.connection?.send({ ...wish, id: hex(random(8)) })
  }

  /** Come in anew: this browser has got a seat, for which its old socket does not speak. */
  reenter(): void {
    this.connection?.end()
    this.enter()
  }

  /** What this device keeps of the present game's shuffle. */
  kept(): Kept | null {
    const { table, seat } = this.state
    return table && seat !== null ? this.seeds.kept(table, seat) : null
  }

  nudge(): void {
    this.connection?.nudge()
  }

  /** The browser says that the network has gone. */
  doubt(): void {
    this.connection?.doubt()
  }

  end(): void {
    this.ended = true
    this.connection?.end()
    this.connection = null
  }

  private get shelfKey(): string {
    return `kozyr.seq.${this.id}`
  }

  private async start(): Promise<void> {
    if ((await this.find()) && !this.ended) this.enter()
  }

  private enter(): void {
    this.connection = new Connection(
      { message: (message) => this.receive(message), status: (status) => this.change(status), since: () => this.received || undefined },
      worldOf(this.path),
    )
  }

  /** Ask where the table's socket is; false when there is no such table. */
  private async find(): Promise<boolean> {
    while (!this.ended) {
      const answer = await findTable(this.id)
      if (answer.ok) {
        this.path = answer.body.socket
        return true
      }
      if (answer.problem.code !== 'offline') {
        this.problem = answer.problem
        return false
      }
      this.change('lost')
      await new Promise((resolve) => setTimeout(resolve, FIND_AGAIN_MS))
    }
    return false
  }

  private change(status: Status): void {
    this.status = status
  }

  private receive(message: ServerMessage): void {
    const at = performance.now()
    if (message.t === 'said') return void this.hear(message)
    this.away = awayAfter(this.away, message, at)
    if (message.t === 'update' && this.lapsed(message)) this.lapses++
    if (message.t === 'welcome') this.seat = message.seat ?? null
    if (message.t === 'welcome' || message.t === 'update') {
      this.received = message.seq
      if (message.view) this.newest = { legal: new Set(message.view.legal), bout: message.view.bout_no }
      shelf.set(this.shelfKey, String(message.seq))
      const due = message.table && this.seat !== null ? this.seeds.due(message.table, this.seat) : null
      if (due && !this.connection?.waits(due.id)) this.connection?.send(due)
    }
    if (message.t === 'ack') this.answer(message.id, message.seq)
    if (message.t === 'refused') {
      const kind = this.sent.get(message.id)?.offer.kind
      this.answer(message.id, null)
      // A pass that came too late changes nothing for anybody: not worth a word.
      if (kind === 'pass' || kind === 'accept') return
    }
    this.stage.push(message, at)
  }

  private lapsed(update: Update): boolean {
    return this.seat !== null && lapsed(update.events, this.seat)
  }

  /** Hear what somebody says, once its words are there; whom the viewer has muted says nothing. */
  private async hear(said: Said): Promise<void> {
    await sayMore().catch(() => undefined)
    const player = this.state.table?.players[said.seat]
    if (!player || (said.seat !== this.seat && isMuted(player))) return
    this.stage.push(said)
    this.bubble(said.seat, this.state.log.at(-1)!.event, SAID_MS)
  }

  private answer(id: string, seq: number | null): void {
    const sent = this.sent.get(id)
    if (!sent) return
    const next = new Map(this.sent)
    if (seq === null || seq <= this.state.seq) next.delete(id)
    else next.set(id, { ...sent, seq })
    this.sent = next
  }

  private show(state: State): void {
    const before = this.state
    this.state = state
    const shown = [...this.sent].filter(([, sent]) => sent.seq === undefined || sent.seq > state.seq)
    if (shown.length < this.sent.size) this.sent = new Map(shown)
    if (before.table) this.speak(state, before.log.at(-1)?.n ?? 0)
    if (becameMine(before, state)) this.onturn()
  }

  private speak(state: State, since: number): void {
    for (const { n, event } of state.log) {
      if (n <= since || !SPEAKING.has(event.e) || !('seat' in event)) continue
      this.bubble(event.seat, event, BUBBLE_MS)
    }
  }

  private bubble(seat: number, event: Event | SaidAloud, ms: number): void {
    this.bubbles = { ...this.bubbles, [seat]: event }
    setTimeout(() => {
      if (this.bubbles[seat] !== event) return
      const { [seat]: _, ...rest } = this.bubbles
      this.bubbles = rest
    }, ms)
  }
}

/** What a muted player is remembered by. */
export const muteName = (player: Player): string => player.id ?? player.name

const isMuted = (player: Player): boolean => preferences.muteAll || preferences.muted.includes(muteName(player))

/** Whether the table has begun to wait for the viewer's attack or defence. */
function becameMine(before: State, now: State): boolean {
  const mine = (state: State): boolean =>
    state.seat !== null && !!state.seen?.waiting.includes(state.seat) && (state.seen.phase === 'OPENING' || state.seen.phase === 'DEFENCE')
  return mine(now) && !mine(before)
}
