import { expect, test } from 'vitest'
import { commitSeat, commitServer, fits, type ShuffleRecord } from '../src/wire/fair'
import type { TableView } from '../src/wire/messages'
import { Seeds, type Kept } from '../src/wire/seeds'
import { hex } from '../src/wire/sha256'
import { TABLE } from './messages'
import page from '../../docs/fair.md?raw'

// The first example of docs/fair.md: a player, a bot, and a player who never revealed.
const RECORD = JSON.parse(/<!-- vector: record -->\n```json\n([^`]*)```/.exec(page)![1]!) as ShuffleRecord
const COMMITMENTS = RECORD.seats.map((seat) => seat.commitment ?? null)
const KEPT: Kept = { seed: RECORD.seats[0]!.seed!, server: RECORD.server.commitment, commitments: COMMITMENTS }

test('commits as docs/fair.md defines it', () => {
  expect(commitServer(RECORD.game, RECORD.server.seed)).toBe(RECORD.server.commitment)
  expect(commitSeat(RECORD.server.commitment, 0, RECORD.seats[0]!.seed!)).toBe(RECORD.seats[0]!.commitment)
})

test('an honest record fits what this device kept', () => {
  expect(fits(RECORD, KEPT, 0)).toBe(true)
})

test.each([
  ['another server’s seed', { ...RECORD, server: { ...RECORD.server, seed: '11'.repeat(32) } }, KEPT],
  ['another commitment of the server', RECORD, { ...KEPT, server: '22'.repeat(32) }],
  ['another seed of one’s own', RECORD, { ...KEPT, seed: '33'.repeat(32) }],
  ['an exchanged commitment of a neighbour', RECORD, { ...KEPT, commitments: COMMITMENTS.with(1, '44'.repeat(32)) }],
])('%s does not fit', (_, record, kept) => {
  expect(fits(record, kept, 0)).toBe(false)
})

function device(): { seeds: Seeds; shelf: Map<string, string> } {
  const shelf = new Map<string, string>()
  let drawn = 0
  const random = (): Uint8Array => Uint8Array.from({ length: 32 }, () => ++drawn)
  return { shelf, seeds: new Seeds({ get: (key) => shelf.get(key) ?? null, set: (key, value) => shelf.set(key, value) }, random) }
}

const SERVER = '5a'.repeat(32)
const shuffling = (words: string[], commitments: (string | null)[] = []): TableView => ({
  ...TABLE,
  stage: 'seeds',
  commitment: SERVER,
  seeds: words,
  commitments,
})

test('a seat commits to a seed that it then reveals, and never before everybody has committed', () => {
  const { seeds } = device()
  const commit = seeds.due(shuffling(['waiting', 'server', 'waiting']), 0)
  const seed = hex(Uint8Array.from({ length: 32 }, (_, i) => i + 1))
  expect(commit).toEqual({ t: 'seed_commit', id: 'commit-1-0', game: 1, commitment: commitSeat(SERVER, 0, seed) })
  expect(seeds.due(shuffling(['committed', 'server', 'waiting']), 0)).toBeNull()
  const reveal = seeds.due(shuffling(['committed', 'server', 'absent'], ['aa', 'bb', null]), 0)
  expect(reveal).toEqual({ t: 'seed_reveal', id: 'reveal-1-0', game: 1, seed })
  expect(seeds.kept(shuffling([]), 0)).toEqual({ seed, server: SERVER, commitments: ['aa', 'bb', null] })
})

test('a page that is loaded anew commits to the same seed again', () => {
  const { seeds, shelf } = device()
  const first = seeds.due(shuffling(['waiting', 'server', 'server']), 0)
  const anew = new Seeds({ get: (key) => shelf.get(key) ?? null, set: () => undefined }, () => new Uint8Array(32))
  expect(anew.due(shuffling(['waiting', 'server', 'server']), 0)).toEqual(first)
})

test('once revealed, or when the game runs, nothing is due', () => {
  const { seeds } = device()
  expect(seeds.due(shuffling(['revealed', 'server', 'server']), 0)).toBeNull()
  expect(seeds.due({ ...shuffling(['waiting', 'server', 'server']), stage: 'playing' }, 0)).toBeNull()
})

test('a seed that was committed to another promise of the server is never revealed', () => {
  const { seeds } = device()
  seeds.due(shuffling(['waiting', 'server', 'server']), 0)
  expect(seeds.due({ ...shuffling(['committed', 'server', 'server']), commitment: '77'.repeat(32) }, 0)).toBeNull()
})
