import { expect, test } from 'vitest'
import { fan, sorted } from '../src/felt/fan'
import { grid, PAIR } from '../src/felt/grid'
import { around } from '../src/store/seats'

test('a hand of any size stays inside its room', () => {
  for (const [room, screen] of [[304, 568], [374, 844], [444, 390], [804, 1180], [760, 900]] as const) {
    for (let count = 1; count <= 36; count++) {
      const hand = fan(count, room, screen)
      for (let i = 0; i < count; i++) expect(Math.abs(hand.at(i).x) + hand.width / 2).toBeLessThanOrEqual(room / 2)
    }
  }
})

test('big cards are larger, and stay inside their room as well', () => {
  for (const [room, screen] of [[304, 568], [374, 844], [444, 390], [804, 1180], [760, 900]] as const) {
    for (let count = 1; count <= 36; count++) {
      const big = fan(count, room, screen, true)
      expect(big.width).toBeGreaterThan(fan(count, room, screen).width * 1.1)
      for (let i = 0; i < count; i++) expect(Math.abs(big.at(i).x) + big.width / 2).toBeLessThanOrEqual(room / 2)
    }
  }
})

test('cards of a hand lie from left to right, each with a part in sight', () => {
  const hand = fan(24, 374, 844)
  for (let i = 1; i < 12; i++) expect(hand.at(i).x - hand.at(i - 1).x).toBeGreaterThan(18)
  expect(hand.at(12).y).toBeGreaterThan(hand.at(11).y)
})

test('pairs fill their room and never leave it', () => {
  for (const [width, height] of [[300, 150], [374, 330], [520, 130], [800, 560], [662, 430]] as const) {
    for (let count = 1; count <= 8; count++) {
      const { columns, card } = grid(count, width, height)
      const rows = Math.ceil(count / columns)
      expect(card * (columns * PAIR.width + (columns - 1) * PAIR.across)).toBeLessThanOrEqual(width + 1)
      expect(card * (rows * PAIR.height + (rows - 1) * PAIR.down)).toBeLessThanOrEqual(height + 1)
    }
  }
})

test('a phone held upright shows six pairs in two rows, one on its side in one', () => {
  expect(grid(6, 374, 330).columns).toBe(3)
  expect(grid(6, 520, 120).columns).toBe(6)
})

test('rows of pairs are equally long where there is more than one, and three pairs stay when a fourth comes', () => {
  expect(grid(6, 300, 112).columns).toBe(3)
  expect(grid(5, 374, 330).columns).toBe(3)
  expect(grid(4, 374, 330).columns).toBe(grid(3, 374, 330).columns)
})

test('cards on the felt are not much larger than those of the hand on a phone on its side', () => {
  expect(grid(1, 520, 140).card).toBeLessThanOrEqual(70)
})

test('a hand is sorted by suit or by rank, with the trumps at the right', () => {
  const hand = ['Ah', '7s', '6h', 'Td', '7c']
  expect(sorted(hand, 'suit', 's')).toEqual(['6h', 'Ah', '7c', 'Td', '7s'])
  expect(sorted(hand, 'rank', 's')).toEqual(['6h', '7c', 'Td', 'Ah', '7s'])
})

test('the next seat sits at the left, the last at the right, nobody below the middle', () => {
  for (let count = 2; count <= 5; count++) {
    const places = Array.from({ length: count }, (_, i) => around(count, i))
    expect(places.map((place) => place.x)).toEqual([...places.map((place) => place.x)].sort((a, b) => a - b))
    for (const place of places) expect(place.y).toBeGreaterThan(0)
  }
})
