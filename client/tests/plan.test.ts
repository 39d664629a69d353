import { expect, test } from 'vitest'
import {
  asked,
  beginsAtOnce,
  FIRST,
  remembered,
  rulesOf,
  settled,
  whyNoBots,
  whyNot,
  whyNotValue,
  withOption,
  withPreset,
  written,
  type Plan,
} from '../src/pages/create/plan'
import type { Choices, Option } from '../src/wire/messages'

const option = (name: string, group: string, values: Option['values']): Option => ({ name, group, default: values![0]!, values })
const CHANGE = ['deck', 'seats', 'transfer', 'draws', 'cheat', 'stake', 'turn_s', 'series', 'penalty', 'multi_transfer', 'series_games']
const choices: Choices = {
  presets: [
    { name: 'throw_in', values: { deck: 36, seats: 4, transfer: false, stake: 0 }, change: ['seats', 'turn_s', 'series', 'series_games'] },
    { name: 'peak', values: { deck: 36, seats: 4, transfer: true }, change: ['deck', 'seats', 'transfer', 'cheat', 'stake', 'turn_s'] },
    { name: 'custom', values: {}, change: CHANGE },
  ],
  options: [
    option('deck', 'main', [36, 24, 52]),
    option('seats', 'main', [2, 3, 4, 5, 6]),
    option('throw_scope', 'main', ['all', 'neighbours', 'attacker']),
    option('transfer', 'main', [false, true]),
    option('draws', 'main', [true, false]),
    option('cheat', 'main', [false, true]),
    { name: 'stake', group: 'main', default: 0, least: 0, most: 10_000 },
    option('turn_s', 'main', [30, 15, 60, 120, 0]),
    option('series', 'main', [false, true]),
    option('penalty', 'advanced', ['take_bout', 'rollback']),
    option('multi_transfer', 'advanced', [false, true]),
    { name: 'series_games', group: 'advanced', default: 0, least: 0, most: 1000 },
    option('pace', 'library', ['open', 'turns']),
  ],
  undealable: [
    { deck: 24, seats: 5 },
    { deck: 24, seats: 6 },
  ],
  levels: ['easy', 'hard'],
}
const plan = (preset: string, options: Plan['options'] = {}, rest: Partial<Plan> = {}): Plan => ({ ...FIRST, preset, options, ...rest })
const why = (of: Plan, name: string, value: boolean | number | string): string | undefined => whyNotValue(of, choices, name, value)?.key

test('a deck that cannot give six cards to everybody is refused with the number that it is enough for', () => {
  expect(whyNotValue(plan('peak', { seats: 5 }), choices, 'deck', 24)).toEqual({ key: 'home.undealable', fill: { deck: 24, n: 4 } })
  expect(whyNotValue(plan('peak', { deck: 24 }), choices, 'seats', 6)).toEqual({ key: 'home.undealable', fill: { deck: 24, n: 4 } })
  expect(why(plan('peak', { deck: 24 }), 'seats', 4)).toBeUndefined()
})

test('what a rule set fixes cannot be changed', () => {
  expect(whyNot(plan('throw_in'), choices, 'transfer')).toEqual({ key: 'create.why.fixed' })
  expect(whyNot(plan('throw_in'), choices, 'seats')).toBeNull()
  expect(whyNot(plan('custom', { seats: 3 }), choices, 'transfer')).toBeNull()
})

test.each([
  ['penalty', {}, 'create.why.cheat'],
  ['penalty', { cheat: true }, undefined],
  ['multi_transfer', {}, 'create.why.transfer'],
  ['multi_transfer', { transfer: true }, undefined],
  ['series_games', {}, 'create.why.series'],
  ['series_games', { series: true }, undefined],
] as const)('%s beside %o', (name, options, reason) => {
  expect(whyNot(plan('custom', options), choices, name)?.key).toBe(reason)
})

test('with two players nobody but the attacker throws in', () => {
  expect(whyNot(plan('peak', { seats: 2 }), choices, 'throw_scope')).toEqual({ key: 'create.why.two' })
})

test('a series is free, and a stake is for single games', () => {
  expect(why(plan('custom', { series: true }), 'stake', 100)).toBe('create.why.series_free')
  expect(why(plan('custom', { stake: 100 }), 'series', true)).toBe('create.why.series_free')
  expect(why(plan('custom', { stake: 100 }), 'series', false)).toBeUndefined()
})

test('only friends without a stake may wait for each other without end', () => {
  expect(why(plan('peak'), 'turn_s', 0)).toBeUndefined()
  expect(why(plan('peak', {}, { private: false }), 'turn_s', 0)).toBe('create.why.off')
  expect(why(plan('peak', { stake: 10 }), 'turn_s', 0)).toBe('create.why.off')
})

test('opening an untimed table to everybody gives it its timer back', () => {
  const friends = withOption(plan('peak'), choices, 'turn_s', 0)
  expect(friends.options).toEqual({ turn_s: 0 })
  expect(settled({ ...friends, private: false }, choices).options).toEqual({})
  expect(withOption(friends, choices, 'stake', 50).options).toEqual({ stake: 50 })
})

test('no bots sit where coins are put in', () => {
  const bots = plan('peak', {}, { seats: ['easy', 'hard', null, null, null] })
  expect(whyNoBots(bots, choices)).toBeNull()
  const staked = withOption(bots, choices, 'stake', 100)
  expect(staked.seats).toEqual([null, null, null, null, null])
  expect(whyNoBots(staked, choices)).toEqual({ key: 'error.bots_at_stake' })
})

test('one\'s own rules begin with those of the rule set, and only differences are sent', () => {
  const own = withPreset(plan('peak', { cheat: true }), choices, 'custom')
  expect(own.options).toEqual({ seats: 4, transfer: true, cheat: true })
  expect(rulesOf(own, choices).transfer).toBe(true)
  expect(withOption(own, choices, 'transfer', false).options).toEqual({ seats: 4, cheat: true })
})

test('another rule set has its own values', () => {
  expect(withPreset(plan('custom', { cheat: true, seats: 6 }), choices, 'throw_in').options).toEqual({})
})

test('the server is asked for the seats that the table has', () => {
  const three = plan('peak', { seats: 3 }, { seats: ['easy', null, 'hard', 'hard', 'hard'], password: 'lala' })
  expect(asked(three, choices, 'Ada')).toEqual({
    preset: 'peak',
    options: { seats: 3 },
    bots: ['easy', null],
    name: 'Ada',
    private: true,
    password: 'lala',
  })
  expect(beginsAtOnce(three, choices)).toBe(false)
  expect(beginsAtOnce({ ...three, seats: ['easy', 'easy', null, null, null] }, choices)).toBe(true)
})

test('the last choice is remembered without its password', () => {
  const last = plan('custom', { deck: 52, stake: 0 }, { seats: ['easy', null, null, null, null], password: 'lala', private: false })
  expect(remembered(written(last), choices)).toEqual({ ...last, password: '' })
})

test.each([null, '', '{', 'null', '{"preset":"gone"}'])('a memory of %o is none', (text) => {
  expect(remembered(text, choices)).toEqual(FIRST)
})

test('what is remembered and no longer offered is left out', () => {
  const odd = { ...plan('throw_in', { transfer: true, seats: 3, turn_s: 7 }), seats: ['gone', 'easy'] }
  expect(remembered(JSON.stringify(odd), choices)).toEqual(plan('throw_in', { seats: 3 }, { seats: [null, 'easy', null, null, null] }))
})
