import { expect, test } from 'vitest'
import en from '@locale/en.json'
import { book, NOT_SHOWN, planOf, readOptions, shares, USUAL, whole, writeOptions, type Options } from '../src/pages/rulebook/book'
import source from '../../src/kozyr/core/options.py?raw'

/** The options of the engine with their values, the default first. */
const CHOICES = Object.fromEntries(
  [...source.matchAll(/^ {4}"(\w+)": \((.+)\),$/gm)].map(([, name, values]) => [name!, values!.split(', ').map(read)]),
)
const RANGES = { stake: [0, 10, 10_000], series_games: [0, 1, 5], challenge_ms: [3000, 500] }
const VALUES: Record<string, (string | number | boolean)[]> = {
  ...CHOICES,
  deck: [36, 24, 52],
  stake: RANGES.stake,
  series_games: RANGES.series_games,
  challenge_ms: RANGES.challenge_ms,
}

function read(word: string): string | number | boolean {
  const bare = word.trim()
  if (bare === 'True' || bare === 'False') return bare === 'True'
  return bare.startsWith('"') ? bare.slice(1, -1) : Number(bare)
}

/** Tables at which an option that needs another one can be seen. */
const AROUND: Record<string, Options> = {
  multi_transfer: { transfer: true },
  show_transfer: { transfer: true },
  transfer_first_bout: { transfer: true },
  first_limit_scope: { first_limit: 5 },
  no_draw_durak: { draws: false },
  penalty: { cheat: true },
  caught_bar: { cheat: true },
  challenge_ms: { cheat: true },
  series_games: { series: true },
  split: { stake: 100 },
}

const page = (options: Options): string => JSON.stringify(book(options))

test('knows every option of the engine and what is usual', () => {
  expect(Object.keys(CHOICES).length).toBeGreaterThan(20)
  expect(Object.keys(USUAL).sort()).toEqual(Object.keys(VALUES).sort())
  for (const [name, values] of Object.entries(VALUES)) if (name !== 'seats') expect(USUAL[name], name).toBe(values[0])
})

test('every value of every option changes something, or is listed as one that is not shown', () => {
  for (const [name, values] of Object.entries(VALUES)) {
    const pages = values.map((value) => page({ seats: 4, ...AROUND[name], [name]: value }))
    // An empty forfeit is one of the two others, as stake and seats have it.
    const distinct = name === 'forfeit' ? 2 : values.length
    expect(new Set(pages).size, name).toBe(NOT_SHOWN.includes(name) ? 1 : distinct)
  }
})

const TABLES: Options[] = [
  {},
  ...Object.entries(VALUES).flatMap(([name, values]) =>
    values.flatMap((value) => [2, 3, 6].map((seats) => ({ deck: 36, ...AROUND[name], seats, [name]: value }))),
  ),
  { deck: 24, seats: 4 },
  { cheat: true, penalty: 'rollback', seats: 3 },
  { stake: 100, seats: 5, split: 'equal', turn_s: 0 },
]

test('every sentence is in the catalogue with its holes filled, and every sentence of the catalogue is used', () => {
  const lines = TABLES.flatMap((options) => book(options)).flatMap((section) => section.lines)
  for (const { key, fill } of lines) {
    const message = (en as Record<string, unknown>)[key]
    expect(message, key).toBeDefined()
    for (const [, hole] of JSON.stringify(message).matchAll(/\{(\w+)\}/g)) expect(fill, key).toHaveProperty(hole!)
  }
  const said = new Set<string>(lines.map((line) => line.key))
  const sections = book({ transfer: true, cheat: true, series: true }).map((section) => `rulebook.${section.id}.`)
  const unsaid = Object.keys(en).filter((key) => sections.some((start) => key.startsWith(start)) && !said.has(key))
  expect(unsaid).toEqual(['rulebook.coins.shares', 'rulebook.coins.place', 'rulebook.coins.gets'])
})

test('a plain table has nothing to say of transfers, cheating or series', () => {
  expect(book({}).map((section) => section.id)).toEqual([
    'aim', 'deck', 'first', 'attack', 'throw', 'limit', 'beat', 'take', 'draw', 'out', 'coins', 'clock',
  ]) // prettier-ignore
})

test('a game without a stock has no drawing, and a trump is always in somebody’s hand', () => {
  const keys = book({ deck: 24, seats: 4 }).flatMap((section) => section.lines.map((line) => line.key))
  expect(keys).toContain('rulebook.deck.all')
  expect(keys.filter((key) => key.startsWith('rulebook.draw.') || key === 'rulebook.first.lot')).toEqual([])
})

test('nothing is marked at the usual table, and what differs is', () => {
  const marked = (options: Options): string[] =>
    book(options).flatMap((section) => section.lines.filter((line) => line.unusual).map((line) => line.key))
  expect(marked({ seats: 4, transfer: true })).toEqual([])
  expect(marked({ seats: 4, draw_order: 'joined', draws: false })).toEqual(['rulebook.draw.joined', 'rulebook.out.defender'])
})

test('shares are those of the ledger, to the last coin', () => {
  expect(shares({ stake: 100, seats: 4 })).toEqual([200, 133, 67, 0])
  expect(shares({ stake: 100, seats: 6 })).toEqual([200, 160, 120, 80, 40, 0])
  expect(shares({ stake: 10, seats: 4, split: 'equal' })).toEqual([14, 13, 13, 0])
  expect(shares({ stake: 10, seats: 3, split: 'winner' })).toEqual([30, 0, 0])
})

test('options go through an address and back', () => {
  const options = { deck: 52, seats: 3, transfer: true, draws: false, draw_order: 'joined', stake: 50 }
  expect(readOptions(writeOptions(options))).toEqual(options)
  expect(readOptions('deck=x&transfer=yes&__proto__=1&nonsense=2')).toEqual({})
  expect(whole(readOptions(''))).toEqual({ ...USUAL, forfeit: 'end_game' })
})

test('a table can be made of the rules', () => {
  expect(planOf({ deck: 24, transfer: true }, 'heads_up_24')).toEqual({ preset: 'heads_up_24', options: {} })
  const plan = { preset: 'custom', options: { deck: 52, draws: false } }
  expect(planOf({ deck: 52, draws: false, transfer: false, caught_bar: false }, null)).toEqual(plan)
})
