// Where the cards of an event come from and go to, and what is heard meanwhile.
import type { Flights } from '../felt/flight'
import type { BoutOver, Drew, Event } from '../wire/messages'
import type { Seen } from './seen'

const BETWEEN_CARDS = 35
const BEFORE_DRAW = 260
const BETWEEN_DRAWS = 80
const BETWEEN_DEALT = 32
const DEAL_MS = 500
const HAND = 6

export const anchorOf = (seat: number): string => `seat-${seat}`

/** Tell how the cards of *events*, which happen together, fly; *seen* is the view after them. */
export function flightsOf(events: Event[], me: number | null, seen: Seen | null): Flights {
  const flights: Flights = { cards: new Map(), backs: [], sounds: [] }
  let drawn = 0
  for (const event of events) {
    if (event.e === 'attack' || event.e === 'transfer') {
      event.cards.forEach((card, i) => flights.cards.set(card, { from: anchorOf(event.seat), delay: i * BETWEEN_CARDS }))
      flights.sounds.push({ name: event.e === 'attack' ? 'place' : 'slide', delay: 0 })
    } else if (event.e === 'beat') {
      flights.cards.set(event.card, { from: anchorOf(event.seat) })
      flights.sounds.push({ name: 'place', delay: 0 })
    } else if (event.e === 'show') flights.sounds.push({ name: 'slide', delay: 0 })
    else if (event.e === 'challenge') flights.sounds.push({ name: event.right ? 'turn' : 'error', delay: 0 })
    else if (event.e === 'return') flights.cards.set(event.card, { to: anchorOf(event.seat) })
    else if (event.e === 'bout_over') clear(flights, event)
    else if (event.e === 'draw') drawn = draw(flights, event, me, drawn)
    else if (event.e === 'deal' && seen) deal(flights, event.dealer, seen, me)
    else if (event.e === 'over') flights.sounds.push({ name: event.result.durak === me && me !== null ? 'lose' : 'win', delay: 200 })
  }
  return flights
}

function clear(flights: Flights, event: BoutOver): void {
  const to = event.taker === undefined ? 'discard' : anchorOf(event.taker)
  event.cards.forEach((card, i) => flights.cards.set(card, { to, delay: i * BETWEEN_CARDS }))
  flights.sounds.push({ name: event.taker === undefined ? 'sweep' : 'take', delay: 0 })
}

function draw(flights: Flights, event: Drew, me: number | null, drawn: number): number {
  if (!drawn) flights.sounds.push({ name: 'deal', delay: BEFORE_DRAW })
  const open = event.cards ?? []
  for (let i = 0; i < event.count; i++) {
    const delay = BEFORE_DRAW + drawn++ * BETWEEN_DRAWS
    // The turned card is the last of the stock: everybody sees it, and it is the last that its seat draws.
    const card = open[i - (event.count - open.length)]
    if (card && event.seat === me) flights.cards.set(card, { from: 'stock', delay })
    else if (card) flights.cards.set(card, { to: anchorOf(event.seat), delay })
    else flights.backs.push({ from: 'stock', to: anchorOf(event.seat), delay })
  }
  return drawn
}

// One card a seat in turn, from the dealer's left on (R2.3).
function deal(flights: Flights, dealer: number, seen: Seen, me: number | null): void {
  const seats = seen.seats.length
  const between = Math.min(BETWEEN_DEALT, DEAL_MS / (HAND * seats))
  flights.sounds.push({ name: 'deal', delay: 0 })
  for (let k = 0; k < HAND * seats; k++) {
    const seat = (dealer + 1 + k) % seats
    const delay = k * between
    const card = seen.hand[Math.floor(k / seats)]
    if (seat === me && card) flights.cards.set(card, { from: 'stock', delay })
    else flights.backs.push({ from: 'stock', to: anchorOf(seat), delay })
  }
}
