// What the home page lets a reader choose, and which choices need another one first.
import type { OptionValue } from '../../preferences.svelte'
import type { Choices, Preset } from '../../wire/messages'

export type Chosen = Record<string, OptionValue>

/** The online table, for whoever has chosen nothing yet. */
export const FIRST: Chosen = { deck: 36, seats: 4, throw_scope: 'all', transfer: true, first_limit: 5, draws: true, cheat: false }

export const DECKS = [24, 36, 52]
export const SEATS = [2, 3, 4, 5, 6]

/** Options with the values in the order in which they are shown; two values of true and false make a switch. */
export const VALUES: Record<string, OptionValue[]> = {
  transfer: [true, false],
  throw_scope: ['neighbours', 'all'],
  first_limit: [5, 6],
  draws: [true, false],
  cheat: [true, false],
  penalty: ['take_bout', 'rollback'],
  multi_attack: [true, false],
  throw_priority: ['free', 'attacker_first'],
  throw_on_take: [true, false],
  first_limit_scope: ['until_beaten', 'first_bout'],
  transfer_first_bout: [true, false],
  multi_transfer: [true, false],
  show_transfer: [true, false],
  draw_order: ['clockwise', 'joined'],
  no_draw_durak: ['defender', 'last_thrower'],
  no_trump: ['lot', 'left_of_dealer', 'lowest_card', 'redeal'],
  redeal: ['off', 'auto_5'],
}

const NEEDS: Record<string, (chosen: Chosen) => boolean> = {
  throw_scope: (chosen) => Number(chosen.seats) > 2,
  throw_priority: (chosen) => Number(chosen.seats) > 2,
  penalty: (chosen) => chosen.cheat === true,
  first_limit_scope: (chosen) => chosen.first_limit === 5,
  transfer_first_bout: (chosen) => chosen.transfer === true,
  multi_transfer: (chosen) => chosen.transfer === true,
  show_transfer: (chosen) => chosen.transfer === true,
  no_draw_durak: (chosen) => chosen.draws === false,
}

export const MAIN = ['transfer', 'throw_scope', 'first_limit', 'draws', 'cheat', 'penalty']
export const MORE = Object.keys(VALUES).filter((option) => !MAIN.includes(option))

/** The options of *names* that make a difference beside what is chosen. */
export function fitting(names: string[], chosen: Chosen): string[] {
  return names.filter((name) => NEEDS[name]?.(chosen) ?? true)
}

/** What is chosen for *option*, or the server's default, or the first value. */
export function valueOf(option: string, chosen: Chosen, choices: Choices | null): OptionValue {
  return chosen[option] ?? choices?.options.find((other) => other.name === option)?.default ?? VALUES[option]![0]!
}

/** Whether so many seats can be dealt from a deck, by the server's word. */
export function mayDeal(choices: Choices | null, deck: number, seats: number): boolean {
  return !choices?.undealable.some((pair) => pair.deck === deck && pair.seats === seats)
}

/** Whether *preset* chooses what is chosen, as far as this page shows it. */
export function chooses(preset: Preset, chosen: Chosen, choices: Choices | null): boolean {
  const own = ofPreset(preset)
  return ['deck', 'seats', ...Object.keys(VALUES)].every((name) => valueOf(name, own, choices) === valueOf(name, chosen, choices))
}

/** The rule sets to show: one whose difference from an earlier one this page does not show is left out. */
export function offered(choices: Choices | null): Preset[] {
  const presets = (choices?.presets ?? []).filter((preset) => preset.name !== 'custom')
  return presets.filter((preset, i) => !presets.slice(0, i).some((earlier) => chooses(earlier, ofPreset(preset), choices)))
}

/** What *preset* chooses, as far as this page shows it. */
export function ofPreset(preset: Preset): Chosen {
  const values = Object.entries({ ...FIRST, ...preset.values })
  return Object.fromEntries(values.filter(([name]) => name in VALUES || name === 'deck' || name === 'seats'))
}
