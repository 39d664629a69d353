// The geometry of a hand of cards.

export interface Fan {
  /** Width of a card. */
  width: number
  /** Height of the whole hand. */
  height: number
  /** Where card *i* lies: its middle from the hand's middle, its top, its turn in degrees. */
  at(i: number): { x: number; y: number; turn: number }
}

/** Below this the signs in the corners cannot be read: on a narrow screen, and as a part of a card's width elsewhere. */
const LEAST_STEP = 19
const LEAST_PART = 0.27
const RATIO = 1.4
/** How much larger big cards are; less where the screen is low. */
const BIG = 1.3
const BIG_LOW = 1.15

/**
 * Lay out *count* cards in *room* pixels; *screen* is the window's height. Many cards on a narrow screen lie in two rows, and *big* ones
 * earlier.
 */
export function fan(count: number, room: number, screen: number, big = false): Fan {
  const wide = room > 560 && screen > 520
  const narrow = Math.min(84, Math.max(56, room / 4.9), Math.max(56, screen * (screen > room ? 0.1 : 0.19)))
  const larger = big ? (screen > 520 ? BIG : BIG_LOW) : 1
  const width = (wide ? clamp(screen * 0.135, 84, 122) : narrow) * larger
  const least = wide ? width * LEAST_PART : LEAST_STEP * larger
  const rows = count > 1 && (room - width - 20) / (count - 1) < least && screen > 520 ? 2 : 1
  const each = Math.ceil(count / rows)
  const step = each < 2 ? 0 : Math.min(width * (wide ? 0.66 : 0.7), (room - width - 20) / (each - 1))
  const turn = each < 2 || rows > 1 ? 0 : Math.min(4.2, 26 / each)
  const above = wide ? 22 : 16
  const lower = width * 0.52
  return {
    width,
    height: width * RATIO + (wide ? 30 : 24) + (rows - 1) * lower,
    at(i) {
      const row = Math.floor(i / each)
      const inRow = row ? count - each : Math.min(each, count)
      const from = (i % each) - (inRow - 1) / 2
      const sag = rows > 1 ? 0 : Math.abs(from) ** 1.7 * (wide ? 2.1 : 1.9) * Math.min(1, 6 / each) ** 1.4
      return { x: from * step, y: above + sag + row * lower, turn: from * turn }
    },
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}

const SUITS = 'shcd'
const RANKS = '23456789TJQKA'

/** Put a hand in order; the *marked* suit stands at the right end. */
export function sorted(cards: string[], by: 'suit' | 'rank', marked: string): string[] {
  const suit = (card: string): number => (card[1] === marked ? 4 : SUITS.indexOf(card[1]!))
  const rank = (card: string): number => RANKS.indexOf(card[0]!)
  const last = (card: string): number => (card[1] === marked ? 100 : 0)
  const weight = by === 'suit' ? (card: string) => suit(card) * 13 + rank(card) : (card: string) => last(card) + rank(card) * 4 + suit(card)
  return [...cards].sort((a, b) => weight(a) - weight(b))
}
