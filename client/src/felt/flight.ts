// How cards travel over the felt.
import type { Sound } from './kit'

/** `from` and `to` name anchors of the felt; `delay` is in milliseconds. */
export interface Flight {
  from?: string
  to?: string
  delay?: number
}

export interface Flights {
  /** By card: those that everybody sees. */
  cards: Map<string, Flight>
  /** Cards that only show their back. */
  backs: Required<Flight>[]
  sounds: { name: Sound; delay: number }[]
}
