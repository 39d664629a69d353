import { expect, test } from 'vitest'
import { fill } from '../src/store/seen'
import { EMPTY, type State } from '../src/store/state'
import { prompt, tellEvent } from '../src/store/words'
import type { Event, View } from '../src/wire/messages'
import { TABLE, view } from './messages'
import en from '@locale/en.json'

const at = (change: Partial<View>, seat: number | null = 0): State => ({ ...EMPTY, table: TABLE, seat, seen: fill(view(change)) })

const CASES: [string, State, string][] = [
  ['attacking', at({}), 'prompt.attack'],
  ['waiting for the attack', at({ attacker: 1, legal: [] }), 'prompt.attack.wait'],
  ['defending', at({ phase: 'DEFENCE', defender: 0, bout: [{ attack: '6h', by: 1 }], legal: ['beat 6h 7h', 'take'] }), 'prompt.defend'],
  ['done with the last beat', at({ phase: 'DEFENCE', defender: 0, bout: [{ attack: '6h', by: 1, beat: '7h' }], legal: ['take'] }), 'prompt.beaten.wait'],
  ['defending with a transfer', at({ phase: 'DEFENCE', defender: 0, bout: [{ attack: '6h', by: 1 }], legal: ['transfer 7h', 'take'] }), 'prompt.defend.transfer'],
  ['free to throw in', at({ phase: 'DEFENCE', legal: ['attack 7h'] }), 'prompt.defend.add'],
  ['watching the defence', at({ phase: 'DEFENCE', legal: [] }), 'prompt.defend.wait'],
  ['throwing in or done', at({ phase: 'THROW_IN', legal: ['attack 7h', 'pass'] }), 'prompt.throw'],
  ['done with nothing to add', at({ phase: 'THROW_IN', legal: ['pass'] }), 'prompt.pass'],
  ['passed and waiting', at({ phase: 'THROW_IN', legal: [], waiting: [2] }), 'prompt.wait'],
  ['waiting for several', at({ phase: 'THROW_IN', legal: [], waiting: [1, 2] }), 'prompt.wait.many'],
  ['defender of a beaten bout', at({ phase: 'THROW_IN', defender: 0, legal: [], waiting: [1] }), 'prompt.beaten.wait'],
  ['taking', at({ phase: 'TAKING', defender: 0, legal: [] }), 'prompt.taking.me'],
  ['adding to a take', at({ phase: 'TAKING', legal: ['attack 7h', 'pass'] }), 'prompt.taking.add'],
  ['only passing on a take', at({ phase: 'TAKING', legal: ['pass'] }), 'prompt.taking.pass'],
  ['in the challenge window', at({ phase: 'CHALLENGE', legal: ['challenge 6c', 'accept'] }), 'prompt.challenge'],
  ['after accepting', at({ phase: 'CHALLENGE', legal: ['challenge 6c'] }), 'prompt.challenge.wait'],
  ['at the end', at({ phase: 'OVER', result: { kind: 'durak', reason: 'cards', durak: 0 } }), 'end.durak.me'],
  ['after a draw', at({ phase: 'OVER', result: { kind: 'draw', reason: 'empty' } }), 'end.draw'],
  ['shuffling', { ...EMPTY, table: { ...TABLE, seeds: ['waiting', 'server', 'server'] }, seat: 0 }, 'prompt.shuffle'],
  ['waiting for a seed', { ...EMPTY, table: { ...TABLE, seeds: ['revealed', 'waiting', 'server'] }, seat: 0 }, 'prompt.shuffle.wait'],
]

test.each(CASES)('a seat that is %s is told so', (_, state, key) => {
  expect(prompt(state)?.key).toBe(key)
  expect(en).toHaveProperty([key])
})

const EVENTS: Event[] = [
  { e: 'attack', seat: 0, cards: ['7h'] },
  { e: 'beat', seat: 0, attack: '7h', card: '8h' },
  { e: 'transfer', seat: 0, cards: ['7d'], to: 1 },
  { e: 'show', seat: 0, card: '7s', to: 1 },
  { e: 'take', seat: 0 },
  { e: 'pass', seat: 0 },
  { e: 'accept', seat: 0 },
  { e: 'resign', seat: 0 },
  { e: 'challenge', seat: 0, card: '7h', author: 1, right: true, code: 'does_not_beat' },
  { e: 'challenge', seat: 0, card: '7h', author: 1, right: false, code: null },
  { e: 'return', seat: 0, card: '7h' },
  { e: 'bout_over', outcome: 'beaten', cards: ['7h', '8h'], order: [0] },
  { e: 'bout_over', outcome: 'taken', cards: ['7h', '8h'], order: [1], taker: 0 },
  { e: 'draw', seat: 0, count: 2 },
  { e: 'out', seat: 0, place: 1 },
  { e: 'deal', dealer: 0, attacker: 0 },
  { e: 'autopilot', seat: 0, on: true },
  { e: 'autopilot', seat: 0, on: false },
  { e: 'over', result: { kind: 'durak', reason: 'cards', durak: 0 } },
]

const NAMED = EVENTS.map((event) => [event.e, event] as const)

test.each(NAMED)('%s is told in words, to the one it happens to and to the others', (_, event) => {
  for (const me of [0, 1, null]) expect(en).toHaveProperty([tellEvent({ n: 1, event, trump: 's', defender: null }, me)!.key])
})

test('how the shuffle is agreed on is not read out', () => {
  expect(tellEvent({ n: 1, event: { e: 'seed_commit', seat: 0, commitment: 'ab' }, trump: null, defender: null }, 0)).toBeNull()
})
