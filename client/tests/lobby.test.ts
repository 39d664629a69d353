import { beforeEach, expect, test } from 'vitest'
import { LobbyConnection, PATIENCE_MS } from '../src/pages/lobby/connection'
import { count, filterOf, NOTHING, remembered } from '../src/pages/lobby/filter'
import { EMPTY, hear, LISTED_MAX, release, stale, type List } from '../src/pages/lobby/list'
import { BACKOFF_MS, SILENCE_MS, type SocketListener, type Status, type World } from '../src/wire/connection'
import type { LobbyAnswer, OpenTable } from '../src/wire/messages'

const table = (id: string, change: Partial<OpenTable> = {}): OpenTable => ({ id, options: {}, players: [], stage: 'gathering', ...change })
const all = (...ids: string[]): LobbyAnswer => ({ t: 'tables', tables: ids.map((id) => table(id)) })
const shown = (list: List): string => list.rows.map((row) => row.table.id + (row.gone ? '!' : '')).join(' ')
const after = (list: List, ...messages: LobbyAnswer[]): List => messages.reduce(hear, list)

test('the first list is shown as it comes', () => {
  expect(shown(after(EMPTY, all('c', 'b', 'a')))).toBe('c b a')
})

test('a table that changes stays where it is', () => {
  const list = after(EMPTY, all('c', 'b', 'a'), { t: 'table', table: table('b', { free: 2 }) })
  expect(shown(list)).toBe('c b a')
  expect(list.rows[1]!.table.free).toBe(2)
})

test('a new table waits, and is then put on top', () => {
  const list = after(EMPTY, all('b', 'a'), { t: 'table', table: table('c') }, { t: 'table', table: table('d') })
  expect(shown(list)).toBe('b a')
  expect(stale(list)).toBe(true)
  expect(shown(release(list))).toBe('d c b a')
})

test('a table that is gone keeps its place until nobody looks closely', () => {
  const list = after(EMPTY, all('c', 'b', 'a'), { t: 'gone', id: 'b' })
  expect(shown(list)).toBe('c b! a')
  expect(shown(release(list))).toBe('c a')
  expect(shown(after(list, { t: 'table', table: table('b') }))).toBe('c b a')
})

test('a new table that is gone again was never there', () => {
  const list = after(EMPTY, all('a'), { t: 'table', table: table('b') }, { t: 'gone', id: 'b' })
  expect(shown(release(list))).toBe('a')
})

test('after a lost connection everything known stays in place', () => {
  const list = after(EMPTY, all('c', 'b', 'a'), all('d', 'c', 'a'))
  expect(shown(list)).toBe('c b! a')
  expect(shown(release(list))).toBe('d c a')
})

test('no more are listed than the server lists', () => {
  const ids = Array.from({ length: LISTED_MAX + 5 }, (_, i) => `t${i}`)
  expect(after(EMPTY, all(...ids)).rows).toHaveLength(LISTED_MAX)
})

test('a filter asks for what was chosen, and for nothing else', () => {
  expect(filterOf(NOTHING, false)).toEqual({ t: 'filter' })
  expect(filterOf({ ...NOTHING, deck: '36', transfer: 'false', scope: 'all', stake: '0' }, true)).toEqual({
    t: 'filter',
    deck: 36,
    transfer: false,
    scope: 'all',
    stake: 0,
    free: true,
  })
})

test('a filter is remembered, and nonsense forgotten', () => {
  expect(remembered(JSON.stringify({ ...NOTHING, seats: '3' }))).toEqual({ ...NOTHING, seats: '3' })
  expect(remembered('{"deck":"37"}')).toEqual(NOTHING)
  expect(remembered('nonsense')).toEqual(NOTHING)
  expect(count({ ...NOTHING, seats: '3' })).toBe(1)
})

/** A world whose clock the test turns, and whose last socket it speaks through. */
class Fake implements World {
  now = 0
  timers: { at: number; then: () => void; id: number }[] = []
  sockets: { listener: SocketListener; sent: string[] }[] = []
  private ids = 0

  open(listener: SocketListener): { send(text: string): void; close(): void } {
    const socket = { listener, sent: [] as string[] }
    this.sockets.push(socket)
    return { send: (text) => socket.sent.push(text), close: () => undefined }
  }
  after(ms: number, then: () => void): number {
    this.timers.push({ at: this.now + ms, then, id: ++this.ids })
    return this.ids
  }
  forget(timer: number): void {
    this.timers = this.timers.filter((each) => each.id !== timer)
  }
  chance(): number {
    return 1
  }
  pass(ms: number): void {
    const end = this.now + ms
    for (;;) {
      const next = this.timers.filter((each) => each.at <= end).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      this.now = next.at
      this.forget(next.id)
      next.then()
    }
    this.now = end
  }
  say(message: LobbyAnswer): void {
    this.sockets.at(-1)!.listener.message(JSON.stringify(message))
  }
  heard(): unknown[] {
    return this.sockets.at(-1)!.sent.map((text) => JSON.parse(text) as unknown)
  }
}

let world: Fake
let statuses: Status[]
let connection: LobbyConnection

beforeEach(() => {
  world = new Fake()
  statuses = []
  connection = new LobbyConnection({ t: 'filter', deck: 36 }, { message: () => undefined, status: (now) => statuses.push(now) }, world)
})

test('it asks as soon as it is connected, and for other tables when told', () => {
  world.sockets[0]!.listener.open()
  expect(world.heard()).toEqual([{ t: 'filter', deck: 36 }])
  world.say(all())
  connection.ask({ t: 'filter' })
  expect(world.heard()).toEqual([{ t: 'filter', deck: 36 }, { t: 'filter' }])
  expect(statuses).toEqual(['open'])
})

test('a lost connection comes back and asks for the last filter', () => {
  world.sockets[0]!.listener.open()
  world.say(all())
  connection.ask({ t: 'filter', seats: 2 })
  world.sockets[0]!.listener.close()
  world.pass(BACKOFF_MS)
  world.sockets[1]!.listener.open()
  expect(world.heard()).toEqual([{ t: 'filter', seats: 2 }])
  expect(statuses).toEqual(['open', 'lost'])
})

test('after silence it pings, and gives up a connection that does not answer', () => {
  world.sockets[0]!.listener.open()
  world.say(all())
  world.pass(SILENCE_MS)
  expect(world.heard().at(-1)).toEqual({ t: 'ping', n: 1 })
  world.pass(SILENCE_MS)
  expect(statuses).toEqual(['open', 'lost'])
})

test('who asks too fast asks again a little later', () => {
  world.sockets[0]!.listener.open()
  world.say(all())
  world.say({ t: 'fault', code: 'not_so_fast' })
  world.pass(PATIENCE_MS)
  expect(world.heard().at(-1)).toEqual({ t: 'filter', deck: 36 })
})

test('once ended it stays so', () => {
  connection.end()
  world.pass(60_000)
  connection.nudge()
  expect(world.sockets).toHaveLength(1)
})
