// The legal moves as offers: which cards of the hand may go to which place. The server decides; this only reads its lines.

export type Kind = 'attack' | 'beat' | 'transfer' | 'show' | 'take' | 'pass' | 'challenge' | 'accept'

/** A place on the felt: an attack card, `felt` itself, or the slots `transfer` and `show`. */
export type Place = string

export interface Offer {
  /** The move in the protocol's words. */
  text: string
  kind: Kind
  /** The cards of the hand that it plays. */
  cards: string[]
  place: Place
}

/** Read the legal moves of a view. */
export function offersOf(legal: string[]): Offer[] {
  return legal.map((text) => {
    const [kind, ...cards] = text.split(' ') as [Kind, ...string[]]
    if (kind === 'beat') return { text, kind, cards: cards.slice(1), place: cards[0]! }
    if (kind === 'challenge') return { text, kind, cards: [], place: cards[0]! }
    return { text, kind, cards, place: kind === 'attack' ? 'felt' : kind }
  })
}

/** The offers that play exactly *cards*. */
export function offersFor(offers: Offer[], cards: string[]): Offer[] {
  if (!cards.length) return []
  return offers.filter((offer) => offer.cards.length === cards.length && cards.every((card) => offer.cards.includes(card)))
}

/** The cards of the hand that some move plays. */
export function playable(offers: Offer[]): Set<string> {
  return new Set(offers.flatMap((offer) => offer.cards))
}

/** The cards that some move plays together with *cards*. */
export function joining(offers: Offer[], cards: string[]): Set<string> {
  const wider = offers.filter((offer) => offer.cards.length > cards.length && cards.every((card) => offer.cards.includes(card)))
  return new Set(wider.flatMap((offer) => offer.cards).filter((card) => !cards.includes(card)))
}

/** The attack or defence cards that may be challenged. */
export function challengeable(offers: Offer[]): Set<string> {
  return new Set(offers.filter((offer) => offer.kind === 'challenge').map((offer) => offer.place))
}

/** The offer without cards that the big button makes. */
export function plain(offers: Offer[]): Offer | null {
  return offers.find((offer) => offer.kind === 'take' || offer.kind === 'pass' || offer.kind === 'accept') ?? null
}

export type Tap = { play: Offer } | { select: string[] }

/** What a tap on *card* does: it plays where there is nothing to choose, otherwise it selects. */
export function tap(offers: Offer[], selected: string[], card: string): Tap {
  if (selected.includes(card)) return { select: selected.filter((other) => other !== card) }
  if (joining(offers, selected).has(card) && selected.length) return { select: [...selected, card] }
  const here = offersFor(offers, [card])
  if (here.length === 1 && !joining(offers, [card]).size) return { play: here[0]! }
  return { select: playable(offers).has(card) ? [card] : [] }
}

/** What dropping *cards* on *place* plays; a drop beside every place means the only one there is. */
export function drop(offers: Offer[], cards: string[], place: Place): Offer | null {
  const here = offersFor(offers, cards)
  return here.find((offer) => offer.place === place) ?? (here.length === 1 ? here[0]! : null)
}
