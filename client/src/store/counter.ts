// The counter of attack cards, as pips (R6.4).
import type { Seen } from './seen'

/** `used`: lies in the bout; `free`: may still come; `hand`: more than the defender's hand; `locked`: opens after the first beaten bout. */
export type Pip = 'used' | 'free' | 'hand' | 'locked'

/** Tell what each pip of the bout shows; *firstLimit* is the table's limit before the first beaten bout. */
export function pips(seen: Seen, firstLimit: number): Pip[] {
  const used = seen.bout.length
  // Before the first card lies the bout has no H0 yet: it will be what the defender holds now.
  const hand = used || seen.defender === null ? seen.h0 : (seen.seats[seen.defender]?.cards ?? 0)
  const locked = firstLimit === 5 && seen.limit === 5
  return Array.from({ length: locked ? 6 : seen.limit }, (_, i) => {
    if (i < used) return 'used'
    if (i >= seen.limit) return 'locked'
    return i < hand ? 'free' : 'hand'
  })
}

/** How many more attack cards may come. */
export function left(seen: Seen, firstLimit: number): number {
  return pips(seen, firstLimit).filter((pip) => pip === 'free').length
}
