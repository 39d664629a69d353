// The cases that the rulebook shows: what lies, what is added, and where it goes. Every deck has these cards.
import type { Pip } from '../../store/counter'
import type { Pair } from '../../wire/messages'
import type { BoardName } from './book'

export interface Case {
  pairs: Pick<Pair, 'attack' | 'beat'>[]
  /** Cards that may come, or have just come. */
  added?: string[]
  /** What the added cards do. */
  sign?: 'plus' | 'eye'
  /** The attack goes on to the next player. */
  passes?: boolean
  /** Everything goes to the hand. */
  taken?: boolean
  flagged?: boolean
  pips?: Pip[]
}

export const CASES: Record<BoardName, Case> = {
  suit: { pairs: [{ attack: '9h', beat: 'Jh' }] },
  trump: { pairs: [{ attack: 'Kd', beat: '9s' }] },
  throw: { pairs: [{ attack: 'Th', beat: 'Qh' }], added: ['Tc', 'Qd'], sign: 'plus' },
  transfer: { pairs: [{ attack: 'Th' }], added: ['Tc'], sign: 'plus', passes: true },
  show: { pairs: [{ attack: 'Th' }], added: ['Ts'], sign: 'eye', passes: true },
  take: { pairs: [{ attack: '9c', beat: 'Jc' }, { attack: 'Kh' }], taken: true },
  cheat: { pairs: [{ attack: '9h', beat: 'Jc' }], flagged: true },
  locked: { pairs: [{ attack: '9c', beat: 'Jc' }, { attack: '9d' }], pips: ['used', 'used', 'free', 'free', 'free', 'locked'] },
  counter: { pairs: [{ attack: '9c', beat: 'Jc' }, { attack: '9d' }], pips: ['used', 'used', 'free', 'free', 'free', 'free'] },
}
