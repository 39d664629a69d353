import { expect, test } from 'vitest'
import { challengeable, drop, joining, offersFor, offersOf, plain, playable, tap } from '../src/store/offers'

const DEFENCE = offersOf(['beat 7h 8h', 'beat 7h 9s', 'beat 7c 9s', 'transfer 7d', 'show 7s', 'transfer 7s', 'take'])
const OPENING = offersOf(['attack 7c', 'attack 7d', 'attack 7c 7d', 'attack Ah'])

test('every move of the protocol is an offer', () => {
  const read = offersOf(['attack 7c 7d', 'beat 7h 8h', 'transfer 7s', 'show 7s', 'take', 'pass', 'accept', 'challenge 6c'])
  expect(read.map(({ kind, cards, place }) => [kind, cards, place])).toEqual([
    ['attack', ['7c', '7d'], 'felt'],
    ['beat', ['8h'], '7h'],
    ['transfer', ['7s'], 'transfer'],
    ['show', ['7s'], 'show'],
    ['take', [], 'take'],
    ['pass', [], 'pass'],
    ['accept', [], 'accept'],
    ['challenge', [], '6c'],
  ])
})

test('only cards of the hand can be played', () => {
  expect([...playable(DEFENCE)].sort()).toEqual(['7d', '7s', '8h', '9s'])
})

test('a card with one place to go is played by a tap', () => {
  expect(tap(DEFENCE, [], '8h')).toEqual({ play: DEFENCE[0] })
  expect(tap(DEFENCE, [], '7d')).toEqual({ play: DEFENCE[3] })
})

test('a card with several places is selected, and let go by a second tap', () => {
  expect(tap(DEFENCE, [], '9s')).toEqual({ select: ['9s'] })
  expect(tap(DEFENCE, ['9s'], '9s')).toEqual({ select: [] })
  expect(tap(DEFENCE, [], '7s')).toEqual({ select: ['7s'] })
  expect(tap(DEFENCE, ['9s'], '7s')).toEqual({ select: ['7s'] })
})

test('a card that may go together with others is selected first', () => {
  expect(tap(OPENING, [], '7c')).toEqual({ select: ['7c'] })
  expect(tap(OPENING, ['7c'], '7d')).toEqual({ select: ['7c', '7d'] })
  expect(tap(OPENING, ['7c', '7d'], '7c')).toEqual({ select: ['7d'] })
  expect(tap(OPENING, ['7c'], 'Ah')).toEqual({ play: OPENING[3] })
  expect([...joining(OPENING, ['7c'])]).toEqual(['7d'])
})

test('the order of selecting does not matter', () => {
  expect(offersFor(OPENING, ['7d', '7c'])).toEqual([OPENING[2]])
})

test('a tap on a card that cannot be played selects nothing', () => {
  expect(tap(DEFENCE, ['9s'], '6c')).toEqual({ select: [] })
})

test('a dropped card goes where it was dropped, or to its only place', () => {
  expect(drop(DEFENCE, ['9s'], '7c')).toBe(DEFENCE[2])
  expect(drop(DEFENCE, ['9s'], 'felt')).toBeNull()
  expect(drop(DEFENCE, ['8h'], 'felt')).toBe(DEFENCE[0])
  expect(drop(DEFENCE, ['7s'], 'show')).toBe(DEFENCE[4])
  expect(drop(DEFENCE, ['6c'], 'felt')).toBeNull()
})

test('the big button makes the move without cards', () => {
  expect(plain(DEFENCE)?.text).toBe('take')
  expect(plain(OPENING)).toBeNull()
})

test('flags are on the cards that may be challenged', () => {
  expect([...challengeable(offersOf(['challenge 6c', 'challenge 9d', 'accept']))]).toEqual(['6c', '9d'])
})
