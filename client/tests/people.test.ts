import { expect, test, vi } from 'vitest'
import { speak } from '../src/i18n.svelte'
import { named } from '../src/pages/words'
import { lapsed } from '../src/store/lapse'
import { awayAfter, onClock } from '../src/store/presence'
import { tell } from '../src/store/reduce'
import { leaders } from '../src/store/series'
import { EMPTY } from '../src/store/state'
import { tellPenalty } from '../src/store/words'
import type { Challenged, Event } from '../src/wire/messages'
import { TABLE, welcome } from './messages'

const PLAYERS = [TABLE.players[0]!, { name: 'Emin', kind: 'person', here: false, away_ms: 20_000 }, TABLE.players[2]!]

test('who has been away before one came is away since then, by one’s own clock', () => {
  expect(awayAfter({}, welcome({ table: { ...TABLE, players: PLAYERS } }), 50_000)).toEqual({ 1: 30_000 })
})

test('who goes is away from now on, and no longer when back', () => {
  const gone = awayAfter({}, { t: 'presence', seat: 1, here: false }, 5000)
  expect(gone).toEqual({ 1: 5000 })
  expect(awayAfter(gone, { t: 'presence', seat: 1, here: false }, 9000)).toEqual({ 1: 5000 })
  expect(awayAfter(gone, { t: 'presence', seat: 1, here: true }, 9000)).toEqual({})
})

test('a message without the table changes nothing, and an empty seat is not away', () => {
  const gone = { 1: 5000 }
  expect(awayAfter(gone, { t: 'update', seq: 11, events: [] }, 9000)).toBe(gone)
  const empty = { name: '', kind: 'empty', here: false }
  expect(awayAfter(gone, { t: 'update', seq: 11, events: [], table: { ...TABLE, players: [empty, empty, empty] } }, 9000)).toEqual({})
})

test.each([[0, '0:00'], [20_999, '0:20'], [61_000, '1:01'], [-5, '0:00']])('%d ms are %s on a clock', (ms, text) => {
  expect(onClock(ms)).toBe(text)
})

test('an attack or a take that the clock made for oneself is a lapse; a late pass costs nothing', () => {
  expect(lapsed([{ e: 'take', seat: 0, late: true }], 0)).toBe(true)
  expect(lapsed([{ e: 'attack', seat: 0, cards: ['6c'], late: true }], 0)).toBe(true)
  expect(lapsed([{ e: 'take', seat: 0 }], 0)).toBe(false)
  expect(lapsed([{ e: 'take', seat: 1, late: true }], 0)).toBe(false)
  expect(lapsed([{ e: 'pass', seat: 0, late: true }], 0)).toBe(false)
})

test('all whose coins do not reach are told together, until the next game opens', () => {
  const unpaid = (seat: number): Event => ({ e: 'ready', seat, on: false, unpaid: true })
  const told = tell(EMPTY, [unpaid(0), unpaid(2)], null)
  expect(told.unpaid?.seats).toEqual([0, 2])
  expect(tell(told, [{ e: 'ready', seat: 0, on: true }, unpaid(1)], null).unpaid?.seats).toEqual([1])
  expect(tell(told, [{ e: 'open', game: 1, commitment: '' }], null).unpaid).toBeNull()
})

test('bots are called in the reader’s language, persons as they call themselves', async () => {
  vi.stubGlobal('document', { documentElement: {} })
  await speak('ru')
  expect(named({ kind: 'bot', name: 'Bot 3' })).toBe('Бот 3')
  expect(named({ kind: 'person', name: 'Bot 3' })).toBe('Bot 3')
  await speak('en')
  vi.unstubAllGlobals()
})

test('who leads a series: by wins less losses, several where nothing tells them apart', () => {
  expect(leaders({ wins: [0, 0], losses: [0, 0], standing: [0, 1] })).toEqual([])
  expect(leaders({ wins: [1, 2, 0], losses: [1, 0, 2], standing: [1, 0, 2] })).toEqual([1])
  expect(leaders({ wins: [1, 1, 0], losses: [0, 0, 2], standing: [0, 1, 2] })).toEqual([0, 1])
})

const verdict = (seat: number, author: number, right: boolean): Challenged => ({ e: 'challenge', seat, card: '7h', author, right, code: null })
const costs = (event: Challenged, options: Record<string, unknown>, me: number | null = null): string[] =>
  tellPenalty(event, 1, options, me).map((sentence) => sentence.key)

test('what a verdict costs at a table where the cards are the price (R14.7, R14.8)', () => {
  expect(costs(verdict(0, 1, true), {})).toEqual(['penalty.take', 'penalty.barred'])
  expect(costs(verdict(1, 0, true), { caught_bar: false })).toEqual(['penalty.all'])
  expect(costs(verdict(1, 0, false), {})).toEqual(['penalty.take', 'penalty.silent'])
  expect(costs(verdict(2, 0, false), {}, 2)).toEqual(['penalty.all.me'])
})

test('what a verdict costs where cards go back (R14.9)', () => {
  expect(costs(verdict(0, 1, true), { penalty: 'rollback' }, 1)).toEqual(['penalty.back', 'penalty.barred.me'])
  expect(costs(verdict(0, 1, false), { penalty: 'rollback' })).toEqual(['penalty.lost'])
})
