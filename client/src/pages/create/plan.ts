// What a new table is to be, and why something cannot be chosen beside the rest of it.
import type { OptionValue } from '../../preferences.svelte'
import type { Choices, NewTable, Option, Preset } from '../../wire/messages'

export type Rules = Record<string, OptionValue>

/** What has been chosen: `options` differ from those of the preset; `seats` are levels of bots, or nobody, from the second seat on. */
export interface Plan {
  preset: string
  options: Rules
  seats: (string | null)[]
  private: boolean
  password: string
}

/** A sentence of the catalogue that gives the reason. */
export interface Why {
  key: 'home.undealable' | 'error.bots_at_stake' | `create.why.${Reason}`
  fill?: Record<string, string | number>
}

type Reason = 'fixed' | 'two' | 'five' | 'transfer' | 'draws' | 'cheat' | 'series' | 'staked' | 'timer' | 'off' | 'series_free'

export const OTHERS_MAX = 5
export const STAKES = [10, 50, 100, 500, 1000, 5000]
export const STAKE_MIN = 10
export const STAKE_MAX = 10_000
export const CUSTOM = 'custom'

export const FIRST: Plan = { preset: 'peak', options: {}, seats: Array<null>(OTHERS_MAX).fill(null), private: true, password: '' }

/** Options that mean something only beside others, with the reason where they do not. */
const NEEDS: Record<string, [Reason, (rules: Rules) => boolean]> = {
  throw_scope: ['two', (rules) => Number(rules.seats) > 2],
  throw_priority: ['two', (rules) => Number(rules.seats) > 2],
  first_limit_scope: ['five', (rules) => rules.first_limit === 5],
  transfer_first_bout: ['transfer', (rules) => rules.transfer === true],
  multi_transfer: ['transfer', (rules) => rules.transfer === true],
  show_transfer: ['transfer', (rules) => rules.transfer === true],
  no_draw_durak: ['draws', (rules) => rules.draws === false],
  penalty: ['cheat', (rules) => rules.cheat === true],
  series_games: ['series', (rules) => rules.series === true],
  series_first: ['series', (rules) => rules.series === true],
  split: ['staked', (rules) => Number(rules.stake) > 0],
  timeout: ['timer', (rules) => Number(rules.turn_s) > 0],
}

function presetOf(plan: Plan, choices: Choices): Preset {
  return choices.presets.find((preset) => preset.name === plan.preset) ?? choices.presets[0]!
}

/** All option values of *plan*: its own, else the preset's, else the defaults. */
export function rulesOf(plan: Plan, choices: Choices): Rules {
  const defaults = Object.fromEntries(choices.options.map((option) => [option.name, option.default]))
  return { ...defaults, ...presetOf(plan, choices).values, ...plan.options }
}

/** Whether the preset lets *option* be changed. */
export function mayChange(plan: Plan, choices: Choices, option: string): boolean {
  return presetOf(plan, choices).change.includes(option)
}

/** Why *option* cannot be changed at all, if it cannot. */
export function whyNot(plan: Plan, choices: Choices, option: string): Why | null {
  const need = NEEDS[option]
  if (need && !need[1](rulesOf(plan, choices))) return { key: `create.why.${need[0]}` }
  return mayChange(plan, choices, option) ? null : { key: 'create.why.fixed' }
}

/** Why *option* cannot have *value* beside what else is chosen, if it cannot. */
export function whyNotValue(plan: Plan, choices: Choices, option: string, value: OptionValue): Why | null {
  const rules = rulesOf(plan, choices)
  if (option === 'deck' && !mayDeal(choices, Number(value), Number(rules.seats))) return undealable(choices, Number(value))
  if (option === 'seats' && !mayDeal(choices, Number(rules.deck), Number(value))) return undealable(choices, Number(rules.deck))
  if (option === 'stake' && Number(value) > 0 && rules.series === true) return { key: 'create.why.series_free' }
  if (option === 'series' && value === true && Number(rules.stake) > 0) return { key: 'create.why.series_free' }
  if (option === 'turn_s' && value === 0 && !mayBeUntimed(plan, rules)) return { key: 'create.why.off' }
  return null
}

/** Why no bot can be seated, if none can. */
export function whyNoBots(plan: Plan, choices: Choices): Why | null {
  return Number(rulesOf(plan, choices).stake) > 0 ? { key: 'error.bots_at_stake' } : null
}

const mayBeUntimed = (plan: Plan, rules: Rules): boolean => plan.private && !Number(rules.stake)

function mayDeal(choices: Choices, deck: number, seats: number): boolean {
  return !choices.undealable.some((pair) => pair.deck === deck && pair.seats === seats)
}

function undealable(choices: Choices, deck: number): Why {
  const most = Math.min(...choices.undealable.filter((pair) => pair.deck === deck).map((pair) => pair.seats)) - 1
  return { key: 'home.undealable', fill: { deck, n: most } }
}

/** Choose a preset with its own values; the reader's own rules begin with what is chosen now. */
export function withPreset(plan: Plan, choices: Choices, preset: string): Plan {
  if (preset !== CUSTOM) return settled({ ...plan, preset, options: {} }, choices)
  const rules = rulesOf(plan, choices)
  const open = choices.options.filter((option) => option.group !== 'library' && rules[option.name] !== option.default)
  return { ...plan, preset, options: Object.fromEntries(open.map((option) => [option.name, rules[option.name]!])) }
}

/** Choose *value* for *option*. */
export function withOption(plan: Plan, choices: Choices, option: string, value: OptionValue): Plan {
  const { [option]: _, ...rest } = plan.options
  const own = rulesOf({ ...plan, options: rest }, choices)[option] === value
  return settled({ ...plan, options: own ? rest : { ...rest, [option]: value } }, choices)
}

/** What follows from a choice: no bots where coins are put in, no endless waiting but among friends without a stake. */
export function settled(plan: Plan, choices: Choices): Plan {
  const rules = rulesOf(plan, choices)
  const seats = Number(rules.stake) > 0 ? plan.seats.map(() => null) : plan.seats
  const { turn_s: turn, ...rest } = plan.options
  const timed = turn === 0 && !mayBeUntimed(plan, rules)
  return { ...plan, seats, options: timed ? rest : plan.options }
}

/** What the server is asked for. */
export function asked(plan: Plan, choices: Choices, name: string): NewTable {
  const others = Number(rulesOf(plan, choices).seats) - 1
  return {
    preset: plan.preset,
    options: plan.options,
    bots: plan.seats.slice(0, others),
    name,
    private: plan.private,
    password: plan.password || null,
  }
}

/** Whether nobody else is awaited: the game then begins at once. */
export function beginsAtOnce(plan: Plan, choices: Choices): boolean {
  return plan.seats.slice(0, Number(rulesOf(plan, choices).seats) - 1).every((level) => level !== null)
}

/** Write what the browser remembers of *plan*; a password is nobody's business. */
export function written(plan: Plan): string {
  return JSON.stringify({ ...plan, password: '' })
}

/** Read what the browser remembers; what the server no longer offers is left out. */
export function remembered(text: string | null, choices: Choices): Plan {
  let old: Partial<Plan> | null
  try {
    old = JSON.parse(text ?? 'null') as Partial<Plan> | null
  } catch {
    old = null
  }
  if (!old || !choices.presets.some((preset) => preset.name === old.preset)) return FIRST
  const plan: Plan = { ...FIRST, ...old, options: {}, password: '' }
  const known = Object.entries(old.options ?? {}).filter(([name, value]) => mayChange(plan, choices, name) && offers(choices, name, value))
  plan.options = Object.fromEntries(known)
  plan.seats = FIRST.seats.map((_, i) => old.seats?.[i] ?? null).map((level) => (level && choices.levels.includes(level) ? level : null))
  const rules = rulesOf(plan, choices)
  if (!mayDeal(choices, Number(rules.deck), Number(rules.seats)) || (rules.series === true && Number(rules.stake) > 0)) plan.options = {}
  return settled(plan, choices)
}

function offers(choices: Choices, name: string, value: OptionValue): boolean {
  const option = choices.options.find((each) => each.name === name)
  if (!option) return false
  if (option.values?.length) return option.values.includes(value)
  return Number.isInteger(value) && Number(value) >= (option.least ?? 0) && Number(value) <= (option.most ?? 0)
}

/** The options that the page shows in a row: the main ones with what they bring along, or the others. The stake stands apart. */
export function shown(plan: Plan, choices: Choices, group: 'main' | 'advanced'): Option[] {
  const rules = rulesOf(plan, choices)
  const comes = ({ name }: Option): boolean => NEEDS[name]![1](rules)
  const brought = (by: string): Option[] => choices.options.filter((option) => option.name === BRINGS[by] && comes(option))
  const main = choices.options.filter((option) => option.group === 'main' && option.name !== 'stake')
  const first = main.flatMap((option) => [option, ...brought(option.name)])
  return group === 'main' ? first : choices.options.filter((option) => option.group === 'advanced' && !first.includes(option))
}

const BRINGS: Record<string, string> = { cheat: 'penalty', series: 'series_games' }
