import { beforeEach, expect, test } from 'vitest'
import { BACKOFF_MS, BACKOFF_MS_MAX, Connection, DOUBT_MS, QUIET_MS, SILENCE_MS, type SocketListener, type Status, type World } from '../src/wire/connection'
import type { ServerMessage } from '../src/wire/messages'
import { welcome } from './messages'

/** A world whose clock the test turns, and whose sockets it speaks through. */
class Fake implements World {
  now = 0
  timers: { at: number; then: () => void; id: number }[] = []
  sockets: { listener: SocketListener; sent: string[]; closed: boolean }[] = []
  private ids = 0

  open(listener: SocketListener): { send(text: string): void; close(): void } {
    const socket = { listener, sent: [] as string[], closed: false }
    this.sockets.push(socket)
    return { send: (text) => socket.sent.push(text), close: () => (socket.closed = true) }
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
    for (let next = this.next(end); next; next = this.next(end)) {
      this.now = next.at
      this.forget(next.id)
      next.then()
    }
    this.now = end
  }
  private next(end: number): { at: number; then: () => void; id: number } | undefined {
    return this.timers.filter((each) => each.at <= end).sort((a, b) => a.at - b.at)[0]
  }
  get socket(): { listener: SocketListener; sent: string[]; closed: boolean } {
    return this.sockets.at(-1)!
  }
  say(message: ServerMessage): void {
    this.socket.listener.message(JSON.stringify(message))
  }
  heard(): unknown[] {
    return this.socket.sent.map((text) => JSON.parse(text) as unknown)
  }
}

let world: Fake
let statuses: Status[]
let messages: ServerMessage[]
let since: number | undefined
let connection: Connection

beforeEach(() => {
  world = new Fake()
  statuses = []
  messages = []
  since = undefined
  connection = new Connection(
    { message: (message) => messages.push(message), status: (status) => statuses.push(status), since: () => since },
    world,
  )
})

function greet(): void {
  world.socket.listener.open()
  world.say(welcome())
}

const TAKE = { t: 'play', id: 'a1', move: 'take', bout: 3 } as const

test('says hello with the last seq that it has, and is open once it is welcome', () => {
  since = 41
  world.socket.listener.open()
  expect(world.heard()).toEqual([{ t: 'hello', v: 1, since: 41 }])
  world.say(welcome())
  expect(statuses).toEqual(['open'])
  expect(messages).toHaveLength(1)
})

test('a command that was not answered is sent again after a lost connection, with the same id', () => {
  greet()
  connection.send(TAKE)
  expect(world.heard().at(-1)).toEqual(TAKE)
  world.socket.listener.close()
  world.pass(BACKOFF_MS)
  greet()
  expect(world.sockets).toHaveLength(2)
  expect(world.heard().at(-1)).toEqual(TAKE)
})

test.each([
  ['acknowledged', { t: 'ack', id: 'a1', seq: 11 }],
  ['refused', { t: 'refused', id: 'a1', code: 'stale' }],
] as [string, ServerMessage][])('a command that was %s is not sent again', (_, answer) => {
  greet()
  connection.send(TAKE)
  world.say(answer)
  world.socket.listener.close()
  world.pass(BACKOFF_MS)
  greet()
  expect(world.heard()).toEqual([{ t: 'hello', v: 1 }])
})

test('a command given while there is no connection waits for one', () => {
  connection.send(TAKE)
  expect(world.heard()).toEqual([])
  greet()
  expect(world.heard().at(-1)).toEqual(TAKE)
})

test('where the browser says that there is no network, it waits but a moment for a sign of life', () => {
  greet()
  connection.doubt()
  expect(world.heard().at(-1)).toEqual({ t: 'ping', n: 1 })
  world.pass(DOUBT_MS)
  expect(statuses).toEqual(['open', 'lost'])
})

test('a connection that answers is kept, whatever the browser says of the network', () => {
  greet()
  connection.doubt()
  world.say({ t: 'pong', n: 1, ms: 0 })
  world.pass(DOUBT_MS)
  expect(statuses).toEqual(['open'])
})

test('after silence it pings, and gives the connection up when nothing comes back', () => {
  greet()
  world.pass(SILENCE_MS)
  expect(world.heard().at(-1)).toEqual({ t: 'ping', n: 1 })
  world.say({ t: 'pong', n: 1, ms: 0 })
  world.pass(SILENCE_MS)
  expect(world.heard().at(-1)).toEqual({ t: 'ping', n: 2 })
  world.pass(SILENCE_MS)
  expect(statuses).toEqual(['open', 'lost'])
  expect(world.sockets[0]!.closed).toBe(true)
})

test('it waits longer after each failure, but never longer than the limit', () => {
  const waits: number[] = []
  for (let i = 0; i < 8; i++) {
    world.socket.listener.close()
    const count = world.sockets.length
    const from = world.now
    while (world.sockets.length === count) world.pass(50)
    waits.push(world.now - from)
  }
  expect(waits.slice(0, 4)).toEqual([300, 600, 1200, 2400])
  expect(Math.max(...waits)).toBe(BACKOFF_MS_MAX)
})

test('it tries at once when the network is back', () => {
  greet()
  world.socket.listener.close()
  connection.nudge()
  expect(world.sockets).toHaveLength(2)
})

test('a seat that was taken over stays with the other window', () => {
  greet()
  world.say({ t: 'fault', code: 'taken_over' })
  world.socket.listener.close()
  world.pass(60_000)
  connection.nudge()
  expect(statuses).toEqual(['open', 'ended'])
  expect(world.sockets).toHaveLength(1)
})

test('what an abandoned socket still says is not heard', () => {
  greet()
  const old = world.socket
  world.pass(2 * SILENCE_MS)
  old.listener.message(JSON.stringify(welcome({ seq: 99 })))
  expect(messages).toHaveLength(1)
})

test('a connection that never opens is given up', () => {
  world.pass(2 * SILENCE_MS)
  expect(statuses).toEqual(['lost'])
})

test('a seat that another window has taken over is taken over again, with what was not answered', () => {
  greet()
  connection.send({ t: 'play', id: 'a', move: 'take', bout: 1 })
  world.say({ t: 'fault', code: 'taken_over' })
  expect(statuses.at(-1)).toBe('ended')
  world.pass(60_000)
  expect(world.sockets).toHaveLength(1)
  connection.resume()
  greet()
  expect(statuses.at(-1)).toBe('open')
  expect(world.heard()).toContainEqual({ t: 'play', id: 'a', move: 'take', bout: 1 })
})

test('what is said is said now or not at all', () => {
  connection.say({ t: 'say', id: 'a', phrase: 'hello' })
  greet()
  expect(world.heard().map((message) => (message as { t: string }).t)).toEqual(['hello'])
  connection.say({ t: 'say', id: 'b', phrase: 'hello' })
  expect(world.heard()).toContainEqual({ t: 'say', id: 'b', phrase: 'hello' })
})

test('whoever only listens says something from time to time, since the server drops whoever has gone silent', () => {
  greet()
  let seq = 11
  for (let waited = 0; waited < 3 * QUIET_MS; waited += 1_000) {
    world.pass(1_000)
    world.say({ t: 'update', seq: seq++, events: [] } as unknown as ServerMessage)
  }
  expect(world.heard().filter((message) => (message as { t: string }).t === 'ping')).toHaveLength(3)
  expect(statuses).toEqual(['open'])
})

test('a connection that was lost asks for no sign of life', () => {
  greet()
  world.socket.listener.close()
  const lost = world.socket.sent.length
  world.pass(BACKOFF_MS)
  world.pass(2 * QUIET_MS)
  expect(world.sockets[0]!.sent).toHaveLength(lost)
})
