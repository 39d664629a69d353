// Updates are shown one after another, in order, however fast they arrive; a page that is far behind jumps.
import type { Flights } from '../felt/flight'
import type { Event, ServerMessage, Update } from '../wire/messages'
import { flightsOf } from './flights'
import { steps } from './fold'
import { conclude, reduce, tell } from './reduce'
import type { State } from './state'

/** Make a change and resolve when it has been seen; *pace* shortens the time for it. */
export type Perform = (change: () => void, flights: Flights, pace: number) => Promise<void>

/** How many updates with cards in flight may wait, at most, for each pace. */
const PACES: [number, number][] = [
  [0, 1],
  [2, 0.6],
  [5, 0.35],
]

// Events in which no card moves: they take no time.
const STILL = new Set([
  'pass', 'accept', 'again', 'autopilot', 'seed_commit', 'seed_reveal', 'seed_absent', 'time', 'sit', 'rise', 'ready', 'close',
])

export class Stage {
  private queue: { update: Update; at: number }[] = []
  /** What the present update has not told yet. */
  private untold: Event[] = []
  private running = false
  private epoch = 0

  constructor(
    private state: State,
    private readonly show: (state: State) => void,
    private readonly perform: Perform,
  ) {}

  /** Show *message*, which came *at* that moment, when its turn comes: a welcome at once, for it is the whole state. */
  push(message: ServerMessage, at = 0): void {
    if (message.t === 'update') {
      this.queue.push({ update: message, at })
      if (!this.running) void this.run()
      return
    }
    if (message.t === 'welcome') this.hurry()
    this.set(reduce(this.state, message, at))
  }

  /** Whether everything that has arrived has been shown. */
  get idle(): boolean {
    return !this.running
  }

  /** Tell at once what waits to be shown: it happened before the welcome. */
  private hurry(): void {
    this.epoch++
    this.state = tell(this.state, [...this.untold, ...this.queue.flatMap(({ update }) => update.events)], this.state.seen)
    this.untold = []
    this.queue = []
  }

  private set(state: State): void {
    this.state = state
    this.show(state)
  }

  private async run(): Promise<void> {
    this.running = true
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      const { update, at } = next
      const behind = this.queue.filter((waiting) => waiting.update.events.some((event) => !STILL.has(event.e))).length
      const pace = PACES.find(([most]) => behind <= most)?.[1]
      if (update.seq <= this.state.seq) continue
      if (pace === undefined) this.set(reduce(this.state, update, at))
      else await this.act(update, at, pace)
    }
    this.running = false
  }

  private async act(update: Update, at: number, pace: number): Promise<void> {
    const epoch = this.epoch
    const me = this.state.seat
    this.untold = update.events
    for (const step of steps(this.state.seen, update, me)) {
      this.untold = this.untold.slice(step.events.length)
      const change = (): void => this.set({ ...tell(this.state, step.events, step.seen ?? this.state.seen), seen: step.seen })
      await this.perform(change, flightsOf(step.events, me, step.seen), pace)
      // A welcome came in between: it knows better.
      if (epoch !== this.epoch) return
    }
    this.set(conclude(this.state, update, at))
  }
}
