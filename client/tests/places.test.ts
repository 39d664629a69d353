import { expect, test } from 'vitest'
import { freeSeats, gathers, places, unready } from '../src/pages/gather/places'
import { pathOf } from '../src/pages/gather/qr'
import type { TableView } from '../src/wire/messages'

const table = (change: Partial<TableView> = {}): TableView => ({
  id: 'x',
  options: {},
  game: 0,
  host: 0,
  stage: 'gathering',
  players: [
    { name: 'Ada', kind: 'person' },
    { name: 'Bot 1', kind: 'bot', level: 'hard' },
    { name: 'Emin', kind: 'person', here: false },
    { name: '', kind: 'empty', here: false },
  ],
  ready: [2],
  ...change,
})

test('each seat is told with who is ready, away, the host and oneself', () => {
  const [ada, bot, emin, empty] = places(table(), 0)
  expect(ada).toMatchObject({ me: true, host: true, ready: false, away: false })
  expect(bot).toMatchObject({ kind: 'bot', level: 'hard', ready: true })
  expect(emin).toMatchObject({ me: false, ready: true, away: true })
  expect(empty).toMatchObject({ kind: 'empty', ready: false, away: false })
})

test('the next game waits for persons who are not ready', () => {
  expect(unready(places(table(), 0)).map((place) => place.player.name)).toEqual(['Ada'])
})

test('after a game those are ready who have asked for another one', () => {
  expect(unready(places(table({ stage: 'over', again: [0], ready: [2] }), 0)).map((place) => place.player.name)).toEqual(['Emin'])
})

test('people gather before the first game, and at a free seat between two', () => {
  expect(gathers(table())).toBe(true)
  expect(gathers(table({ stage: 'closed' }))).toBe(true)
  expect(gathers(table({ stage: 'playing' }))).toBe(false)
  expect(gathers(table({ stage: 'over' }))).toBe(true)
  expect(gathers(table({ stage: 'over', players: [{ name: 'Ada', kind: 'person' }] }))).toBe(false)
  expect(freeSeats(table())).toEqual([3])
})

test('dark modules in a row are one rectangle', () => {
  expect(pathOf([[true, true, false, true], [false, false, false, false], [false, true, true, true]])).toBe(
    'M0 0h2v1h-2zM3 0h1v1h-1zM1 2h3v1h-3z',
  )
})
