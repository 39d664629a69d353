import { expect, test } from 'vitest'
import en from '@locale/en.json'
import page from '../../docs/fair.md?raw'
import { check, keptOf } from '../src/pages/verify/check'
import { deal, draw, type Previous } from '../src/pages/verify/draw'
import { readGame, type GameFile } from '../src/pages/verify/gamefile'
import { canonical, hmac, keyOf, Stream } from '../src/pages/verify/stream'
import type { ShuffleRecord } from '../src/wire/fair'
import { hex, unhex } from '../src/wire/sha256'
import drawn from './drawn.json'
import text from './game.txt?raw'

/** The test vectors of docs/fair.md. */
const VECTORS = Object.fromEntries(
  [...page.matchAll(/<!-- vector: (\S+) -->\n```json\n([\s\S]*?)```/g)].map(([, name, body]) => [name!, JSON.parse(body!) as never]),
)
const record = (name: string): ShuffleRecord => VECTORS[name]!

interface Bytes {
  key: string
  blocks: string[]
  words: number[]
  deck: string
}

test('hashes with a key as the standard’s own example does', () => {
  const words = (each: string): Uint8Array => new TextEncoder().encode(each)
  const expected = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
  expect(hex(hmac(words('Jefe'), words('what do ya want for nothing?')))).toBe(expected)
})

test.each([
  ['record', 'bytes'],
  ['record-2', 'bytes-2'],
])('finds key, blocks and words of %s on the page', (name, derived) => {
  const { key, blocks, words, deck }: Bytes = VECTORS[derived]!
  expect(hex(keyOf(record(name)))).toBe(key)
  blocks.forEach((block, i) => expect(hex(hmac(unhex(key), Uint8Array.of(0, 0, 0, 0, 0, 0, 0, i)))).toBe(block))
  const stream = new Stream(unhex(key))
  words?.forEach((word) => expect(stream.word()).toBe(word))
  if (deck) expect(new Stream(unhex(key)).shuffle(36).join(' ')).toBe(deck)
})

test.each([24, 36, 52])('draws the page’s decks of %i in their order', (size) => {
  const wanted: Record<string, string | number> = VECTORS[`draws-${size}`]!
  const stream = new Stream(keyOf(record('record')))
  expect(canonical(size).join(' ')).toBe(wanted.canonical)
  expect(stream.below(3)).toBe(wanted.dealer)
  expect(stream.shuffle(size).join(' ')).toBe(wanted.deck)
  expect(stream.shuffle(size).join(' ')).toBe(wanted.redealt)
  expect(stream.below(3)).toBe(wanted.first_attack)
})

test('draws again what would make one number likelier than another', () => {
  const { n, drawn: numbers }: { n: number; drawn: number[] } = VECTORS.rejection!
  const stream = new Stream(keyOf(record('record')))
  expect(numbers.map(() => stream.below(n))).toEqual(numbers)
})

test('draws for tables of every kind what the engine draws', () => {
  for (const { key, options, previous, drawn: wanted } of drawn) {
    const { pack, ...rest } = draw(options as never, new Stream(unhex(key)), previous as Previous | null)
    expect({ ...rest, pack: pack.join(' ') }, JSON.stringify(options)).toEqual(wanted)
  }
})

const game = (change: (text: string) => string = (same) => same): GameFile => readGame(change(text))!
const wrong = (file: GameFile, kept = new Map()): string[] => check(file, kept).flatMap((each) => (each.isRight === false ? each.code : []))
const changeSeed = (from: string) => (all: string) => all.replace(from, `${from.slice(0, -1)}0`)

test('a game as it was played passes, and every seat is spoken of', () => {
  const checks = check(game(), new Map())
  expect(checks.map((each) => each.code)).toEqual(['server', 'seat', 'bot', 'absent', 'tags', 'dealer', 'pack', 'attacker'])
  expect(checks.filter((each) => each.isRight === false)).toEqual([])
  for (const { code } of checks) expect(en).toHaveProperty([`verify.check.${code}`])
})

test('reads names with quotes, and the hands that were dealt', () => {
  expect(game().players).toEqual(['Ada "the \\ fox"', 'Bot', 'Zoe'])
  const { hands, stock, trump } = deal(game().pack, 3, game().dealer)
  expect(hands.map((hand) => hand.length)).toEqual([6, 6, 6])
  expect(stock).toHaveLength(6)
  expect(stock.at(-1)).toBe(trump)
})

test('each tampering is found where it is', () => {
  const { server, seats } = game().shuffle
  expect(wrong(game(changeSeed(server.seed)))).toContain('server')
  expect(wrong(game(changeSeed(seats[0]!.seed!)))).toEqual(expect.arrayContaining(['seat', 'pack']))
  expect(wrong(game(changeSeed(seats[1]!.seed!)))).toEqual(expect.arrayContaining(['bot', 'pack']))
  expect(wrong(game((all) => all.replace(/(Pack ")(\S\S) (\S\S)/, '$1$3 $2')))).toEqual(['pack'])
  expect(wrong(game((all) => all.replace('[Attacker "1"]', '[Attacker "2"]')))).toEqual(['attacker'])
  expect(wrong(game((all) => all.replace(/Dealer "\d"/, 'Dealer "1"')))).toEqual(['dealer'])
  expect(wrong(game((all) => all.replace(/\[Previous .*\n/, '')))).toContain('pack')
  expect(wrong(game((all) => all.replace('[Game "table7/2"]', '[Game "table7/3"]')))).toEqual(['tags'])
})

test('what this browser kept is compared, and an exchanged commitment is found', () => {
  const { server, seats } = game().shuffle
  const kept = { seed: seats[0]!.seed!, server: server.commitment, commitments: seats.map((seat) => seat.commitment ?? null) }
  const shelf = { get: (key: string) => (key === 'kozyr.seed.table7.2.0' ? JSON.stringify(kept) : null) }
  expect([...keptOf(game(), shelf)]).toEqual([[0, kept]])
  for (const broken of ['{', '{}', '3']) expect(keptOf(game(), { get: () => broken }).size).toBe(0)
  expect(wrong(game(), new Map([[0, kept]]))).toEqual([])
  expect(wrong(game(), new Map([[0, { ...kept, seed: 'ab'.repeat(32) }]]))).toEqual(['own'])
  expect(wrong(game(), new Map([[0, { ...kept, commitments: [kept.commitments[0]!, 'ab'.repeat(32), null] }]]))).toEqual(['seen'])
})

test('a seat that is said to have sent a wrong seed must have', () => {
  const file = game()
  const { server, seats } = file.shuffle
  const left = { ...seats[0]!, origin: 'absent' as const, absence: 'mismatch' }
  expect(wrong({ ...file, shuffle: { ...file.shuffle, server, seats: [left, ...seats.slice(1)] } })).toContain('absent')
})

test('other texts are no games', () => {
  const broken = [text.replace('kozyr/1', 'kozyr/9'), text.replace(/\[Shuffle.*\n/, ''), text.replace('seats=3', 'seats=9')]
  for (const other of ['', 'Ada', ...broken]) expect(readGame(other)).toBeNull()
})
