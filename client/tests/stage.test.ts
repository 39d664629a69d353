import { beforeEach, expect, test } from 'vitest'
import { Stage } from '../src/store/stage'
import { EMPTY, type State } from '../src/store/state'
import { update, welcome } from './messages'

let shown: State[]
let landings: (() => void)[]
let paces: number[]
let stage: Stage

beforeEach(() => {
  shown = []
  landings = []
  paces = []
  stage = new Stage(
    EMPTY,
    (state) => shown.push(state),
    (change, _, pace) => {
      paces.push(pace)
      change()
      return new Promise((resolve) => landings.push(resolve))
    },
  )
  stage.push(welcome())
})

const settle = async (): Promise<void> => {
  for (let i = 0; i < 8; i++) await Promise.resolve()
}
async function land(): Promise<void> {
  landings.shift()!()
  await settle()
}
const state = (): State => shown.at(-1)!
const told = (): string[] => state().log.map((entry) => ('seat' in entry.event ? `${entry.event.e} ${entry.event.seat}` : entry.event.e))

test('an update waits until the one before it has landed', async () => {
  stage.push(update(11, [{ e: 'take', seat: 1 }]))
  stage.push(update(12, [{ e: 'pass', seat: 2 }]))
  await settle()
  expect(told()).toEqual(['take 1'])
  expect(state().seq).toBe(10)
  await land()
  expect(told()).toEqual(['take 1', 'pass 2'])
  await land()
  expect(state().seq).toBe(12)
  expect(stage.idle).toBe(true)
})

test('the steps of one update come one after another', async () => {
  stage.push(update(11, [{ e: 'attack', seat: 0, cards: ['7h'] }, { e: 'attack', seat: 2, cards: ['7d'] }], { phase: 'DEFENCE' }))
  await settle()
  expect(state().seen?.bout.map((pair) => pair.attack)).toEqual(['7h'])
  await land()
  expect(told()).toEqual(['attack 0', 'attack 2'])
})

test('a page that falls behind hurries, and jumps when it is far behind, without losing or reordering anything', async () => {
  for (let i = 0; i < 20; i++) stage.push(update(11 + i, [{ e: 'take', seat: i % 3 }]))
  await settle()
  while (landings.length) await land()
  expect(state().seq).toBe(30)
  expect(told()).toEqual(Array.from({ length: 20 }, (_, i) => `take ${i % 3}`))
  expect(paces).toEqual([1, 0.35, 0.35, 0.35, 0.6, 0.6, 1])
})

test('what moves no card does not make the page hurry', async () => {
  stage.push(update(11, [{ e: 'take', seat: 1 }]))
  for (let i = 0; i < 6; i++) stage.push(update(12 + i, [{ e: 'pass', seat: i % 3 }]))
  stage.push(update(18, [{ e: 'take', seat: 2 }]))
  await settle()
  while (landings.length) await land()
  expect(paces).toEqual([1, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 1])
})

test('a welcome jumps to the whole state and still tells what was waiting to be shown', async () => {
  stage.push(update(11, [{ e: 'attack', seat: 0, cards: ['7h'] }, { e: 'take', seat: 1 }]))
  stage.push(update(12, [{ e: 'pass', seat: 2 }]))
  await settle()
  stage.push(welcome({ seq: 40, missed: [{ e: 'pass', seat: 0 }] }))
  expect(state().seq).toBe(40)
  expect(told()).toEqual(['attack 0', 'take 1', 'pass 2', 'pass 0'])
  await land()
  expect(state().seq).toBe(40)
  stage.push(update(41, [{ e: 'take', seat: 1 }]))
  await settle()
  expect(told().at(-1)).toBe('take 1')
})

test('refusals and presence do not wait for cards to land', async () => {
  stage.push(update(11, [{ e: 'take', seat: 1 }]))
  stage.push({ t: 'refused', id: 'x', code: 'stale' })
  stage.push({ t: 'presence', seat: 1, here: false })
  await settle()
  expect(state().refusal?.code).toBe('stale')
  expect(state().table?.players[1]?.here).toBe(false)
})
