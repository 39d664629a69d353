// What a view looks like between two events of one update: for the eyes only. The server's view is what counts in the end.
import type { Event, Update } from '../wire/messages'
import type { Seen, SeenSeat } from './seen'
import { fill } from './seen'

/** Some events that are seen to happen together, and the view after them. */
export interface Step {
  events: Event[]
  seen: Seen | null
}

const RESOLUTION = new Set(['bout_over', 'draw', 'out', 'over', 'return'])

/** Split *update* into what is shown one after another; the last step ends in the server's own view. */
export function steps(before: Seen | null, update: Update, me: number | null): Step[] {
  const groups: Event[][] = []
  for (const event of update.events) {
    const last = groups.at(-1)
    if (last && RESOLUTION.has(event.e) && RESOLUTION.has(last[0]!.e)) last.push(event)
    else groups.push([event])
  }
  if (groups.length === 0) groups.push([])
  let seen = before
  return groups.map((events, i) => {
    if (i === groups.length - 1) seen = after(before, update)
    else if (seen) seen = events.reduce((view, event) => fold(view, event, me), seen)
    return { events, seen }
  })
}

/** The view that *update* ends in: its own, or none while a new game is not dealt yet. */
export function after(before: Seen | null, update: Update): Seen | null {
  if (update.view) return fill(update.view)
  return update.events.some((event) => event.e === 'open') ? null : before
}

/** Show *event* on *seen*, as far as everybody at the table could. */
export function fold(seen: Seen, event: Event, me: number | null): Seen {
  switch (event.e) {
    case 'attack':
    case 'transfer': {
      const next = played(seen, event.seat, event.cards, me)
      const bout = [...seen.bout, ...event.cards.map((attack) => ({ attack, by: event.seat }))]
      if (event.e === 'attack') return { ...next, bout, phase: seen.phase === 'OPENING' ? 'DEFENCE' : seen.phase }
      return { ...next, bout, attacker: event.seat, defender: event.to, legal: [] }
    }
    case 'beat':
      return {
        ...played(seen, event.seat, [event.card], me),
        bout: seen.bout.map((pair) => (pair.attack === event.attack ? { ...pair, beat: event.card } : pair)),
      }
    case 'show':
      return { ...seat(seen, event.seat, () => ({ shown: true })), attacker: event.seat, defender: event.to, legal: [] }
    case 'take':
      return { ...seen, phase: 'TAKING', legal: [] }
    case 'pass':
      return seat(seen, event.seat, () => ({ passed: true }))
    case 'accept':
      return seat(seen, event.seat, () => ({ accepted: true }))
    case 'return':
      return received(lifted(seen, event.card), event.seat, 1, [event.card], me)
    case 'bout_over': {
      const cleared = { ...seen, bout: [], legal: [] }
      if (event.taker === undefined) return { ...cleared, discard: seen.discard + event.cards.length }
      return received(cleared, event.taker, event.cards.length, event.cards, me)
    }
    case 'draw': {
      const stock = Math.max(0, seen.stock - event.count)
      return { ...received(seen, event.seat, event.count, event.cards ?? [], me), stock, trumpCard: stock ? seen.trumpCard : null }
    }
    case 'out':
      return seat(seen, event.seat, () => ({ out: true, place: event.place }))
    default:
      return seen
  }
}

function seat(seen: Seen, which: number, change: (old: SeenSeat) => Partial<SeenSeat>): Seen {
  return { ...seen, seats: seen.seats.map((old, i) => (i === which ? { ...old, ...change(old) } : old)) }
}

function played(seen: Seen, which: number, cards: string[], me: number | null): Seen {
  const next = seat(seen, which, (old) => ({ cards: Math.max(0, old.cards - cards.length) }))
  if (which !== me) return next
  // A move that needs a card which has just been played is gone; what is left stays on offer until the server says otherwise.
  const gone = (line: string): boolean => cards.some((card) => line.includes(card))
  return { ...next, hand: seen.hand.filter((card) => !cards.includes(card)), legal: seen.legal.filter((line) => !gone(line)) }
}

function received(seen: Seen, which: number, count: number, cards: string[], me: number | null): Seen {
  const next = seat(seen, which, (old) => ({ cards: old.cards + count }))
  return which === me ? { ...next, hand: [...seen.hand, ...cards] } : next
}

function lifted(seen: Seen, card: string): Seen {
  const bout = seen.bout
    .filter((pair) => pair.attack !== card)
    .map((pair) => (pair.beat === card ? { attack: pair.attack, by: pair.by } : pair))
  return { ...seen, bout }
}
