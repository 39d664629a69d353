// Everything that the page of a table knows, as one value.
import type { Autopilot, Challenged, Event, Resigned, Reveal, TableView, TimeGiven } from '../wire/messages'
import type { Seen } from './seen'

/** A phrase that a seat has said: it is no event of the table, but the log tells it. */
export interface SaidAloud {
  e: 'said'
  seat: number
  phrase: string
}

/**
 * An event as the log tells it. `n` counts the entries of this page; `trump` is the suit of the game it belongs to, `defender` who
 * defended before it.
 */
export interface Entry {
  n: number
  event: Event | SaidAloud
  trump: string | null
  defender: number | null
}

/** A clock that runs for the seats that are waited for. */
export interface RunningClock {
  /** The update that it came with. */
  seq: number
  /** How long it had left then, and in all. */
  ms: number
  of: number
  /** When it runs out, by this page's clock. */
  ends: number
}

/** What everybody at the table should notice: somebody gave up or left the seat to the bot, or the clock was lengthened. */
export type News = Resigned | Autopilot | TimeGiven

/** Something that the reader has to be told once. `n` tells two equal ones apart. */
export interface Notice {
  n: number
  code: string
  about: string
}

export interface State {
  seq: number
  table: TableView | null
  seat: number | null
  seen: Seen | null
  reveal: Reveal | null
  log: Entry[]
  /** Why the last command changed nothing. */
  refusal: Notice | null
  /** Why the connection may not go on. */
  fault: Notice | null
  /** The last verdict of this game. */
  verdict: { n: number; event: Challenged; defender: number | null } | null
  /** The last thing worth a notice. */
  news: { n: number; event: News } | null
  /** The seats for whose want of coins the next game could not open. */
  unpaid: { n: number; seats: number[] } | null
  clock: RunningClock | null
  /** How many of the last entries happened while the page was away. */
  missed: number
}

export const LOG_MAX = 120

export const EMPTY: State = {
  seq: 0,
  table: null,
  seat: null,
  seen: null,
  reveal: null,
  log: [],
  refusal: null,
  fault: null,
  verdict: null,
  news: null,
  unpaid: null,
  clock: null,
  missed: 0,
}
