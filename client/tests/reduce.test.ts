import { expect, test } from 'vitest'
import { reduce } from '../src/store/reduce'
import { EMPTY, LOG_MAX, type State } from '../src/store/state'
import type { Event } from '../src/wire/messages'
import { TABLE, update, view, welcome } from './messages'

const seated = (): State => reduce(EMPTY, welcome())

test('a welcome is the whole state, with defaults for what the wire leaves out', () => {
  const state = seated()
  expect(state.seq).toBe(10)
  expect(state.seat).toBe(0)
  expect(state.seen?.hand).toHaveLength(6)
  expect(state.seen?.seats[1]).toEqual({
    cards: 6, out: false, place: null, passed: false, accepted: false, barred: false, no_challenge: false, shown: false,
  })
})

test('a spectator has no seat, no hand and no moves', () => {
  const state = reduce(EMPTY, { t: 'welcome', v: 1, seq: 4, table: TABLE, view: { ...view(), hand: undefined, legal: undefined } as never })
  expect(state.seat).toBeNull()
  expect(state.seen?.hand).toEqual([])
  expect(state.seen?.legal).toEqual([])
})

test('an update moves the state to its seq and tells what happened', () => {
  const attack = update(11, [{ e: 'attack', seat: 0, cards: ['7h'] }], { phase: 'DEFENCE', bout: [{ attack: '7h', by: 0 }] })
  const state = reduce(seated(), attack)
  expect(state.seq).toBe(11)
  expect(state.seen?.phase).toBe('DEFENCE')
  expect(state.log.map((entry) => entry.event.e)).toEqual(['attack'])
})

test('an update that has been seen already changes nothing', () => {
  const state = seated()
  expect(reduce(state, update(10, [{ e: 'take', seat: 1 }]))).toBe(state)
})

test('a new game clears the felt, the reveal and the last verdict', () => {
  const challenge: Event = { e: 'challenge', seat: 0, card: '7h', author: 1, right: true, code: 'does_not_beat' }
  let state = reduce(seated(), { ...update(11, [challenge]), reveal: { hands: [], pack: [], shuffle: {} } })
  expect(state.verdict?.event).toBe(challenge)
  const open: Event = { e: 'open', game: 2, commitment: 'ab' }
  state = reduce(state, { t: 'update', seq: 12, events: [open], table: { ...TABLE, game: 2, stage: 'seeds' } })
  expect([state.seen, state.reveal, state.verdict]).toEqual([null, null, null])
  expect(state.table?.game).toBe(2)
})

test('what was missed while away is in the log and counted', () => {
  const missed: Event[] = [{ e: 'take', seat: 1 }, { e: 'pass', seat: 2 }]
  const state = reduce(seated(), welcome({ seq: 20, missed }))
  expect(state.missed).toBe(2)
  expect(state.log.map((entry) => entry.event)).toEqual(missed)
  expect(reduce(state, update(21, [])).missed).toBe(0)
})

test('presence changes one player only', () => {
  const state = reduce(seated(), { t: 'presence', seat: 0, here: false })
  expect(state.table?.players.map((player) => player.here ?? true)).toEqual([false, true, true])
})

test('two equal refusals are told one after the other', () => {
  const refused = { t: 'refused', id: 'x', code: 'no_capacity', about: '7h' } as const
  const once = reduce(seated(), refused)
  const twice = reduce(once, { ...refused, id: 'y' })
  expect(once.refusal).toEqual({ n: 1, code: 'no_capacity', about: '7h' })
  expect(twice.refusal?.n).toBe(2)
})

test('acknowledgements and pongs leave the state as it is', () => {
  const state = seated()
  expect(reduce(state, { t: 'ack', id: 'x', seq: 11 })).toBe(state)
  expect(reduce(state, { t: 'pong', n: 1, ms: 5 })).toBe(state)
})

test('the log keeps its newest entries', () => {
  let state = seated()
  for (let i = 0; i < LOG_MAX + 30; i++) state = reduce(state, update(11 + i, [{ e: 'pass', seat: i % 3 }]))
  expect(state.log).toHaveLength(LOG_MAX)
  expect(state.log.at(-1)?.n).toBe(LOG_MAX + 30)
})

test('a clock ends where the page’s own clock will stand then, and knows how long it was', () => {
  const state = reduce(EMPTY, welcome({ left_ms: 4000, of_ms: 30_000 }), 1000)
  expect(state.clock).toEqual({ seq: 10, ms: 4000, of: 30_000, ends: 5000 })
  expect(reduce(state, { ...update(11, []), left_ms: 6000 }, 2000).clock).toEqual({ seq: 11, ms: 6000, of: 6000, ends: 8000 })
  expect(reduce(state, update(11, []), 2000).clock).toBeNull()
})

test('a verdict knows who defended when the card was challenged', () => {
  const challenge: Event = { e: 'challenge', seat: 2, card: '7h', author: 0, right: true, code: 'rank_not_in_bout' }
  expect(reduce(seated(), update(11, [challenge], { defender: 2, attacker: 1 })).verdict?.defender).toBe(1)
})

test('a lengthened clock, a resignation and the bot’s taking over are news, and a new game forgets them', () => {
  const news = (event: Event): unknown => reduce(seated(), update(11, [event])).news?.event
  expect(news({ e: 'time', ms: 2000, why: 'network' })).toBeDefined()
  expect(news({ e: 'resign', seat: 1 })).toBeDefined()
  expect(news({ e: 'autopilot', seat: 1, on: true })).toBeDefined()
  expect(news({ e: 'time', ms: 600_000, why: 'waiting' })).toBeUndefined()
  expect(news({ e: 'pass', seat: 1 })).toBeUndefined()
  const told = reduce(seated(), update(11, [{ e: 'resign', seat: 1 }]))
  expect(reduce(told, update(12, [{ e: 'open', game: 2, commitment: 'ab' }])).news).toBeNull()
})

test('what is said stands in the log and does not push out what was missed', () => {
  const back = reduce(EMPTY, welcome({ missed: [{ e: 'take', seat: 1 }] }))
  const state = reduce(back, { t: 'said', seat: 1, phrase: 'hello' })
  expect(state.log.slice(-state.missed).map((entry) => entry.event.e)).toEqual(['take', 'said'])
})
