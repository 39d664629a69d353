// What chance decides in a game, drawn in its fixed order: the dealer, the deck, decks dealt anew, the lot for the first attack (R2.6).
import { whole, type Options } from '../rulebook/book'
import type { Stream } from './stream'

/** What a later game at a table asks of the game before it. */
export interface Previous {
  dealer: number
  durak: number | null
  winner: number | null
  last_defender: number
}

export interface Drawn {
  dealer: number
  pack: string[]
  redeals: number
  attacker: number
}

/** Say whose the cards of a pack are: a hand for each seat, the card that fixes trumps, and the stock in the order of drawing. */
export function deal(pack: string[], seats: number, dealer: number): { hands: string[][]; trump: string; stock: string[] } {
  const dealt = 6 * seats
  const hands: string[][] = Array.from({ length: seats }, () => [])
  pack.slice(0, dealt).forEach((card, k) => hands[(dealer + 1 + k) % seats]!.push(card))
  const turned = pack[dealt]
  return { hands, trump: turned ?? pack[dealt - 1]!, stock: turned ? [...pack.slice(dealt + 1), turned] : [] }
}

/** Draw everything once more. */
export function draw(options: Options, stream: Stream, previous: Previous | null): Drawn {
  const rules = whole(options)
  const seats = Number(rules.seats)
  const size = Number(rules.deck)
  const dealer = previous ? (previous.durak ?? previous.dealer) : stream.below(seats)
  const named = previous && laterAttacker(String(rules.series_first), previous, seats)
  let pack = stream.shuffle(size)
  let redeals = 0
  while (isRedealt(rules, pack, dealer, named !== null)) {
    pack = stream.shuffle(size)
    redeals += 1
  }
  return { dealer, pack, redeals, attacker: named ?? byTrump(rules, pack, dealer) ?? stream.below(seats) }
}

/** Name who begins a game after one with a durak; null where the lowest trump decides (R3.3). */
function laterAttacker(rule: string, { durak, winner, last_defender }: Previous, seats: number): number | null {
  if (durak === null) return null
  if (rule === 'left_of_last_defender') return (last_defender + 1) % seats
  if (rule === 'attack_durak') return (durak + seats - 1) % seats
  if (rule === 'left_of_durak') return (durak + 1) % seats
  if (rule === 'durak') return durak
  return rule === 'winner' ? winner : null
}

/** Say whether a pack is thrown away: five cards of a suit in a hand (R2.6), or no trump in any where one is needed (R3.2). */
function isRedealt(rules: Options, pack: string[], dealer: number, named: boolean): boolean {
  const { hands, trump } = deal(pack, Number(rules.seats), dealer)
  const most = Math.max(...hands.flatMap((hand) => [...'cdhs'].map((suit) => hand.filter((card) => card[1] === suit).length)))
  if (rules.redeal === 'auto_5' && most >= 5) return true
  return rules.no_trump === 'redeal' && !named && !hands.flat().some((card) => card[1] === trump[1])
}

/** Name the holder of the lowest trump; where nobody has one, whom the table's rule names, and null for the lot (R3.1, R3.2). */
function byTrump(rules: Options, pack: string[], dealer: number): number | null {
  const seats = Number(rules.seats)
  const { hands, trump } = deal(pack, seats, dealer)
  const fromLeft = Array.from({ length: seats }, (_, i) => (dealer + 1 + i) % seats)
  const lowest = (seat: number, suit = ''): number => Math.min(99, ...hands[seat]!.filter((card) => card.endsWith(suit)).map(rankOf))
  const nearest = (suit?: string): number => fromLeft.reduce((best, seat) => (lowest(seat, suit) < lowest(best, suit) ? seat : best))
  const holder = nearest(trump[1])
  if (lowest(holder, trump[1]) < 99) return holder
  if (rules.no_trump === 'left_of_dealer') return fromLeft[0]!
  return rules.no_trump === 'lowest_card' ? nearest() : null
}

const rankOf = (card: string): number => '23456789TJQKA'.indexOf(card[0]!)
