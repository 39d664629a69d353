import { expect, test } from 'vitest'
import { left, pips } from '../src/store/counter'
import { fill } from '../src/store/seen'
import type { View } from '../src/wire/messages'
import { view } from './messages'

const shown = (change: Partial<View>, firstLimit = 5): string => pips(fill(view(change)), firstLimit).join(' ')
const bout = (count: number): View['bout'] => ['7h', '7d', '7c', '7s', '8h', '8d'].slice(0, count).map((attack) => ({ attack, by: 0 }))

test('before the first beaten bout the sixth pip is locked (R6.1)', () => {
  expect(shown({ bout: bout(2), limit: 5, h0: 6 })).toBe('used used free free free locked')
})

test('afterwards six may come', () => {
  expect(shown({ bout: bout(1), limit: 6, h0: 6 })).toBe('used free free free free free')
})

test('where six are allowed from the start nothing is locked', () => {
  expect(shown({ bout: bout(1), limit: 6, h0: 6 }, 6)).toBe('used free free free free free')
})

test('pips beyond the defender’s hand are marked (R6.2)', () => {
  expect(shown({ bout: bout(1), limit: 6, h0: 3 })).toBe('used free free hand hand hand')
  expect(shown({ bout: bout(1), limit: 5, h0: 3 })).toBe('used free free hand hand locked')
})

test('before the first card the defender’s present hand counts', () => {
  expect(shown({ bout: [], limit: 6, h0: 0, seats: [{ cards: 6 }, { cards: 2 }, { cards: 6 }] })).toBe('free free hand hand hand hand')
})

test('what is left is the capacity (R6.4)', () => {
  expect(left(fill(view({ bout: bout(2), limit: 6, h0: 4 })), 6)).toBe(2)
  expect(left(fill(view({ bout: bout(4), limit: 6, h0: 4 })), 6)).toBe(0)
})
