// A view as the page works with it: what the wire leaves out has its default.
import type { Pair, Result, SeatView, View } from '../wire/messages'

export type Phase = 'OPENING' | 'DEFENCE' | 'THROW_IN' | 'TAKING' | 'CHALLENGE' | 'OVER'

export type SeenSeat = Required<Omit<SeatView, 'place'>> & { place: number | null }

export interface Seen {
  phase: Phase
  boutNo: number
  trump: string
  stock: number
  seats: SeenSeat[]
  bout: Pair[]
  attacker: number | null
  defender: number | null
  waiting: number[]
  capacity: number
  limit: number
  h0: number
  /** The turned card while it lies under the stock. */
  trumpCard: string | null
  /** The last card dealt where there is no stock, and the seat that holds it for all to see (R2.4). */
  shownCard: { card: string; seat: number } | null
  discard: number
  hand: string[]
  legal: string[]
  result: Result | null
}

/** Fill in what *view* leaves out. */
export function fill(view: View): Seen {
  return {
    phase: view.phase as Phase,
    boutNo: view.bout_no,
    trump: view.trump,
    stock: view.stock,
    seats: view.seats.map(fillSeat),
    bout: view.bout ?? [],
    attacker: view.attacker ?? null,
    defender: view.defender ?? null,
    waiting: view.waiting ?? [],
    capacity: view.capacity ?? 0,
    limit: view.limit ?? 0,
    h0: view.h0 ?? 0,
    trumpCard: view.trump_card_at === undefined ? (view.trump_card ?? null) : null,
    shownCard: view.trump_card && view.trump_card_at !== undefined ? { card: view.trump_card, seat: view.trump_card_at } : null,
    discard: view.discard ?? 0,
    hand: view.hand ?? [],
    legal: view.legal ?? [],
    result: view.result ?? null,
  }
}

function fillSeat(seat: SeatView): SeenSeat {
  return {
    cards: seat.cards ?? 0,
    out: seat.out ?? false,
    place: seat.place ?? null,
    passed: seat.passed ?? false,
    accepted: seat.accepted ?? false,
    barred: seat.barred ?? false,
    no_challenge: seat.no_challenge ?? false,
    shown: seat.shown ?? false,
  }
}
