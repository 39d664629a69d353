// What is said about events and positions, as keys of the catalogue with what fills their holes.
import type { Event } from '../wire/messages'
import { offersOf, playable, plain } from './offers'
import type { Seen } from './seen'
import type { Entry, State } from './state'

/** What fills a hole: a number, a word, seats by number, cards, a suit, or something that is said. */
export type Filling = number | string | { seat: number } | { seats: number[] } | { cards: string[] } | { suit: string } | { phrase: string }

export interface Sentence {
  key: string
  fill: Record<string, Filling>
}

const say = (key: string, fill: Record<string, Filling> = {}): Sentence => ({ key, fill })

/** Say what happened in *entry*; nothing for what a listener need not hear. */
export function tellEvent(entry: Entry, me: number | null): Sentence | null {
  const event = entry.event
  const own = (key: string, seat: number): string => (seat === me ? `${key}.me` : key)
  switch (event.e) {
    case 'attack':
      return say(own('log.attack', event.seat), { name: { seat: event.seat }, cards: { cards: event.cards } })
    case 'beat':
      return say(own('log.beat', event.seat), {
        name: { seat: event.seat },
        card: { cards: [event.card] },
        attack: { cards: [event.attack] },
      })
    case 'transfer':
      return say(own('log.transfer', event.seat), { name: { seat: event.seat }, cards: { cards: event.cards }, to: { seat: event.to } })
    case 'show':
      return say(own('log.show', event.seat), { name: { seat: event.seat }, card: { cards: [event.card] }, to: { seat: event.to } })
    case 'take':
    case 'pass':
    case 'accept':
    case 'resign':
      return say(own(`log.${event.e}`, event.seat), { name: { seat: event.seat } })
    case 'challenge':
      return tellVerdict(event, me)
    case 'return':
      return say('log.return', { name: { seat: event.seat }, card: { cards: [event.card] } })
    case 'bout_over':
      if (event.taker === undefined) return say('log.beaten')
      return say(own('log.taken', event.taker), { name: { seat: event.taker }, n: event.cards.length })
    case 'draw':
      return say(own('log.draw', event.seat), { name: { seat: event.seat }, n: event.count })
    case 'out':
      return say(own('log.out', event.seat), { name: { seat: event.seat }, place: event.place })
    case 'said':
      return say('log.said', { name: { seat: event.seat }, phrase: { phrase: event.phrase } })
    case 'time':
      return event.why === 'waiting' ? null : say(`log.time.${event.why}`, { n: Math.round(event.ms / 1000) })
    case 'sit':
      return say('log.sit', { name: { seat: event.seat } })
    case 'rise':
      return say('log.rise')
    case 'autopilot':
      return say(event.on ? 'log.autopilot' : 'log.autopilot.off', { name: { seat: event.seat } })
    case 'deal':
      return say('log.deal', { name: { seat: event.attacker }, trump: { suit: entry.trump ?? '' } })
    case 'over':
      return tellEnd(event.result.durak ?? null, me)
    default:
      return null
  }
}

/** Whether the clock did it for a seat whose time had run out. */
export const isLate = ({ event }: Entry): boolean => 'late' in event && event.late === true

/** Say who was right in a challenge. */
export function tellVerdict(event: Extract<Event, { e: 'challenge' }>, me: number | null): Sentence {
  const key = `log.challenge.${event.right ? 'right' : 'wrong'}${event.seat === me ? '.me' : ''}`
  return say(key, { name: { seat: event.seat }, author: { seat: event.author }, card: { cards: [event.card] } })
}

/**
 * Say what a verdict costs whoever was in the wrong, at a table of these *options*; *defender* defended when the card was challenged.
 *
 * Source: R14.7, R14.8, R14.9, R14.10.
 */
export function tellPenalty(
  event: Extract<Event, { e: 'challenge' }>,
  defender: number | null,
  options: Record<string, unknown>,
  me: number | null,
): Sentence[] {
  const loser = event.right ? event.author : event.seat
  const own = (key: string): Sentence => say(loser === me ? `${key}.me` : key, { name: { seat: loser } })
  if (options.penalty === 'rollback') return event.right ? [say('penalty.back'), own('penalty.barred')] : [own('penalty.lost')]
  const costs = [own(loser === defender ? 'penalty.take' : 'penalty.all')]
  if (!event.right && loser === defender) costs.push(own('penalty.silent'))
  if (event.right && options.caught_bar !== false) costs.push(own('penalty.barred'))
  return costs
}

/** Say who is the durak, or that nobody is. */
export function tellEnd(durak: number | null, me: number | null): Sentence {
  if (durak === null) return say('end.draw')
  return say(durak === me ? 'end.durak.me' : 'end.durak', { name: { seat: durak } })
}

/** Say what the viewer may do now, or whom the table waits for. */
export function prompt(state: State): Sentence | null {
  const { table, seen, seat: me } = state
  if (!table) return null
  if (!seen) return shuffling(state)
  if (seen.phase === 'OVER') return tellEnd(seen.result?.durak ?? null, me)
  const offers = offersOf(seen.legal)
  const button = plain(offers)
  const cards = playable(offers).size > 0
  if (seen.phase === 'CHALLENGE') return say(button ? 'prompt.challenge' : 'prompt.challenge.wait')
  if (seen.phase === 'OPENING') return cards ? say('prompt.attack') : say('prompt.attack.wait', { name: { seat: seen.attacker ?? 0 } })
  if (seen.phase === 'DEFENCE') return defence(seen, me, cards)
  if (seen.phase === 'TAKING') {
    if (seen.defender === me) return say('prompt.taking.me')
    return button ? say(cards ? 'prompt.taking.add' : 'prompt.taking.pass', { name: { seat: seen.defender ?? 0 } }) : waiting(seen)
  }
  if (button) return say(cards ? 'prompt.throw' : 'prompt.pass')
  return seen.defender === me ? say('prompt.beaten.wait') : waiting(seen)
}

function defence(seen: Seen, me: number | null, cards: boolean): Sentence {
  const open = seen.bout.filter((pair) => !pair.beat).length
  if (seen.defender === me) {
    // While the last beat is being shown nothing is open any more.
    if (!open) return say('prompt.beaten.wait')
    const transfer = seen.legal.some((line) => line.startsWith('transfer') || line.startsWith('show'))
    return say(transfer ? 'prompt.defend.transfer' : 'prompt.defend', { n: open })
  }
  return say(cards ? 'prompt.defend.add' : 'prompt.defend.wait', { name: { seat: seen.defender ?? 0 } })
}

function waiting(seen: Seen): Sentence {
  if (seen.waiting.length === 1) return say('prompt.wait', { name: { seat: seen.waiting[0]! } })
  return seen.waiting.length ? say('prompt.wait.many', { names: { seats: seen.waiting } }) : say('prompt.wait.all')
}

function shuffling(state: State): Sentence {
  const missing = (state.table?.seeds ?? []).flatMap((word, seat) => (word === 'waiting' || word === 'committed' ? [seat] : []))
  if (!missing.length || missing.includes(state.seat ?? -1)) return say('prompt.shuffle')
  return say('prompt.shuffle.wait', { names: { seats: missing } })
}
