// Everything that the page of a table knows, as one value.
import type { Challenged, Event, Reveal, TableView } from '../wire/messages'
import type { Seen } from './seen'

/** An event as the log tells it. `n` counts the entries of this page; `trump` is the suit of the game it belongs to. */
export interface Entry {
  n: number
  event: Event
  trump: string | null
}

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
  verdict: { n: number; event: Challenged } | null
  /** How long the clock that runs had left when `seq` was sent. */
  clock: { seq: number; ms: number } | null
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
  clock: null,
  missed: 0,
}
