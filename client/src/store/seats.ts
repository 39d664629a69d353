// The seats as they are shown around the felt.
import type { State } from './state'

export interface Neighbour {
  seat: number
  name: string
  /** Nobody sits there. */
  empty: boolean
  bot: boolean
  /** How well the bot plays. */
  level: string | null
  /** A person who is not connected. */
  away: boolean
  /** The easy bot plays a person's seat on. */
  autopilot: boolean
  cards: number
  role: 'attacks' | 'defends' | null
  /** The table waits for this seat. */
  active: boolean
  passed: boolean
  out: boolean
  place: number | null
  avatar: number
  tint: number
  /** A card in this hand that everybody has seen there. */
  shown: string | null
}

/** Describe *seat*; *name* is what the reader calls it. */
export function neighbour(state: State, seat: number, name: string): Neighbour {
  const player = state.table?.players[seat]
  const seen = state.seen
  const view = seen?.seats[seat]
  const count = state.table?.players.length ?? 0
  const playing = seen !== null && seen.phase !== 'OVER'
  return {
    seat,
    name,
    empty: player?.kind === 'empty',
    bot: player?.kind === 'bot',
    level: player?.level ?? null,
    away: player?.kind === 'person' && player.here === false && seat !== state.seat,
    autopilot: player?.autopilot ?? false,
    cards: view?.cards ?? 0,
    role: !playing ? null : seat === seen.defender ? 'defends' : seat === seen.attacker ? 'attacks' : null,
    active: playing && seen.waiting.includes(seat),
    passed: playing && (view?.passed || view?.accepted || false),
    out: view?.out ?? false,
    place: view?.place ?? null,
    avatar: player?.avatar ?? 0,
    tint: (seat - (state.seat ?? 0) + count) % Math.max(1, count),
    shown: playing && seen.shownCard?.seat === seat ? seen.shownCard.card : null,
  }
}

/** The other seats, clockwise from the viewer's left; for a spectator from the seat at the bottom. */
export function others(state: State): number[] {
  const count = state.table?.players.length ?? 0
  const bottom = state.seat ?? 0
  return Array.from({ length: Math.max(0, count - 1) }, (_, i) => (bottom + 1 + i) % count)
}

/** The seats of other persons. */
export function persons(state: State): number[] {
  return others(state).filter((seat) => state.table?.players[seat]?.kind === 'person')
}

// How far round the felt the other seats sit, in degrees: 180 is the left end, 90 the top, 0 the right end.
const ANGLES = [[], [90], [148, 32], [173, 90, 7], [176, 116, 64, 4], [178, 130, 90, 50, 2]]

/** Where the *i*th of *count* other seats sits on the felt's edge: cosine and sine, rightwards and upwards. */
export function around(count: number, i: number): { x: number; y: number } {
  const angle = ((ANGLES[count]?.[i] ?? 90) * Math.PI) / 180
  return { x: Math.cos(angle), y: Math.sin(angle) }
}
