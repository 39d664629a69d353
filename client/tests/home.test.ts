import { expect, test } from 'vitest'
import { chooses, FIRST, offered, ofPreset } from '../src/pages/home/offer'
import type { Choices, Preset } from '../src/wire/messages'

const preset = (name: string, values: Preset['values']): Preset => ({ name, values, change: [] })
const online = preset('peak', { deck: 36, seats: 4, throw_scope: 'all', transfer: true, first_limit: 5 })
const plain = preset('throw_in', { deck: 36, seats: 4, transfer: false, first_limit: 6 })
const choices: Choices = {
  presets: [plain, preset('classic', { ...plain.values, series: true }), online, preset('custom', {})],
  options: [],
  undealable: [],
  levels: ['easy'],
}

test('the rule set that is chosen is the one whose values are chosen', () => {
  expect(chooses(online, FIRST, choices)).toBe(true)
  expect(chooses(plain, FIRST, choices)).toBe(false)
  expect(chooses(plain, ofPreset(plain), choices)).toBe(true)
})

test('changing one value leaves the rule set', () => {
  expect(chooses(online, { ...FIRST, deck: 52 }, choices)).toBe(false)
  expect(chooses(online, { ...FIRST, redeal: 'auto_5' }, choices)).toBe(false)
})

test('two rule sets that this page cannot tell apart are one', () => {
  expect(offered(choices).map((each) => each.name)).toEqual(['throw_in', 'peak'])
})
