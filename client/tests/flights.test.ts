import { expect, test } from 'vitest'
import { flightsOf } from '../src/store/flights'
import { fill } from '../src/store/seen'
import { view } from './messages'

test('a card that another seat plays comes from that seat', () => {
  const { cards, sounds } = flightsOf([{ e: 'attack', seat: 2, cards: ['7h', '7d'] }], 0, null)
  expect([...cards]).toEqual([['7h', { from: 'seat-2', delay: 0 }], ['7d', { from: 'seat-2', delay: 35 }]])
  expect(sounds.map((sound) => sound.name)).toEqual(['place'])
})

test('a beaten bout goes to the discard, a taken one to the taker', () => {
  const beaten = flightsOf([{ e: 'bout_over', outcome: 'beaten', cards: ['7h', '8h'], order: [] }], 0, null)
  expect(beaten.cards.get('8h')?.to).toBe('discard')
  const taken = flightsOf([{ e: 'bout_over', outcome: 'taken', cards: ['7h'], order: [], taker: 1 }], 0, null)
  expect(taken.cards.get('7h')?.to).toBe('seat-1')
})

test('own draws fly in open, those of others as backs, one after another', () => {
  const { cards, backs } = flightsOf([{ e: 'draw', seat: 0, count: 1, cards: ['9s'] }, { e: 'draw', seat: 1, count: 2 }], 0, null)
  expect(cards.get('9s')).toEqual({ from: 'stock', delay: 260 })
  expect(backs.map((back) => [back.to, back.delay])).toEqual([['seat-1', 340], ['seat-1', 420]])
})

test('everybody sees who draws the turned card', () => {
  const { cards, backs } = flightsOf([{ e: 'draw', seat: 1, count: 2, cards: ['6s'] }], 0, null)
  expect(backs).toHaveLength(1)
  expect(cards.get('6s')?.to).toBe('seat-1')
})

test('the cards are dealt one at a time from the dealer’s left (R2.3)', () => {
  const { cards, backs } = flightsOf([{ e: 'deal', dealer: 2, attacker: 0 }], 0, fill(view()))
  expect(cards.size + backs.length).toBe(18)
  expect(cards.get('7h')).toEqual({ from: 'stock', delay: 0 })
  expect(backs[0]).toMatchObject({ from: 'stock', to: 'seat-1' })
  expect(backs[0]!.delay).toBeGreaterThan(0)
})

test.each([2, 3, 6])('a deal to %i seats is under way within half a second', (count) => {
  const seats = Array.from({ length: count }, () => ({ cards: 6 }))
  const { backs } = flightsOf([{ e: 'deal', dealer: 0, attacker: 0 }], 0, fill(view({ seats })))
  expect(Math.max(...backs.map((back) => back.delay))).toBeLessThanOrEqual(500)
})

test('only the durak hears the sad tune', () => {
  const over = { e: 'over', result: { kind: 'durak', reason: 'cards', durak: 1 } } as const
  expect(flightsOf([over], 1, null).sounds[0]!.name).toBe('lose')
  expect(flightsOf([over], 0, null).sounds[0]!.name).toBe('win')
})
