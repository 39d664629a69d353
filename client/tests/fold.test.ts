import { expect, test } from 'vitest'
import { fold, steps } from '../src/store/fold'
import { fill } from '../src/store/seen'
import type { Event } from '../src/wire/messages'
import { update, view } from './messages'

const opening = fill(view())
const attacked = fold(opening, { e: 'attack', seat: 0, cards: ['7h'] }, 0)

test('an attack lays the card on the felt and takes it and its moves from the hand', () => {
  expect(attacked.bout).toEqual([{ attack: '7h', by: 0 }])
  expect(attacked.hand).toEqual(['7c', '9d', 'Td', 'Ks', 'Ah'])
  expect(attacked.seats[0]!.cards).toBe(5)
  expect(attacked.phase).toBe('DEFENCE')
  expect(attacked.legal).not.toContain('attack 7h')
})

test('a beat lies on the card that it beats', () => {
  const beaten = fold(attacked, { e: 'beat', seat: 1, attack: '7h', card: '8h' }, 0)
  expect(beaten.bout).toEqual([{ attack: '7h', by: 0, beat: '8h' }])
  expect(beaten.seats[1]!.cards).toBe(5)
})

test('a transfer makes attacker of the defender', () => {
  const passed = fold(attacked, { e: 'transfer', seat: 1, cards: ['7d'], to: 2 }, 0)
  expect([passed.attacker, passed.defender]).toEqual([1, 2])
  expect(passed.bout.map((pair) => pair.attack)).toEqual(['7h', '7d'])
})

test('a showing passes the attack on without a card', () => {
  const shown = fold(attacked, { e: 'show', seat: 1, card: '7s', to: 2 }, 0)
  expect([shown.attacker, shown.defender, shown.bout.length]).toEqual([1, 2, 1])
  expect(shown.seats[1]).toMatchObject({ cards: 6, shown: true })
})

test('a beaten bout goes to the discard, a taken one to a hand', () => {
  const beaten = fold(attacked, { e: 'bout_over', outcome: 'beaten', cards: ['7h', '8h'], order: [0, 1, 2] }, 0)
  expect([beaten.bout.length, beaten.discard]).toEqual([0, 2])
  const taken = fold(attacked, { e: 'bout_over', outcome: 'taken', cards: ['7h', '8h'], order: [0, 2, 1], taker: 0 }, 0)
  expect(taken.hand).toEqual(['7c', '9d', 'Td', 'Ks', 'Ah', '7h', '8h'])
  expect([taken.discard, taken.seats[0]!.cards]).toEqual([0, 7])
})

test('drawing the last of the stock takes the turned card away', () => {
  const drawn = fold({ ...opening, stock: 2 }, { e: 'draw', seat: 0, count: 2, cards: ['8d', '6s'] }, 0)
  expect([drawn.stock, drawn.trumpCard, drawn.hand.length]).toEqual([0, null, 8])
  expect(fold(opening, { e: 'draw', seat: 1, count: 2 }, 0).trumpCard).toBe('6s')
})

test('a rollback lifts a card from the felt', () => {
  const beaten = fold(attacked, { e: 'beat', seat: 1, attack: '7h', card: '6d' }, 0)
  const back = fold(beaten, { e: 'return', seat: 1, card: '6d' }, 0)
  expect(back.bout).toEqual([{ attack: '7h', by: 0 }])
  expect(back.seats[1]!.cards).toBe(6)
  expect(fold(back, { e: 'return', seat: 0, card: '7h' }, 0).hand).toContain('7h')
})

test('a resolved bout is one step after the card that resolved it', () => {
  const events: Event[] = [
    { e: 'beat', seat: 1, attack: '7h', card: '8h' },
    { e: 'bout_over', outcome: 'beaten', cards: ['7h', '8h'], order: [0, 2, 1] },
    { e: 'draw', seat: 0, count: 1, cards: ['9s'] },
    { e: 'draw', seat: 1, count: 1 },
  ]
  const shown = steps(attacked, update(12, events, { attacker: 1, defender: 2 }), 0)
  expect(shown.map((step) => step.events.map((event) => event.e))).toEqual([['beat'], ['bout_over', 'draw', 'draw']])
  expect(shown[0]!.seen!.bout).toHaveLength(1)
  expect(shown[1]!.seen).toEqual(fill(view({ attacker: 1, defender: 2 })))
})

test('the last step is the server’s own view, whatever the events looked like', () => {
  const [only] = steps(null, update(12, [{ e: 'deal', dealer: 2, attacker: 0 }]), 0)
  expect(only!.seen).toEqual(opening)
  expect(steps(opening, { t: 'update', seq: 12, events: [] }, 0)).toEqual([{ events: [], seen: opening }])
})
