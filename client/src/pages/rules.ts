// The options of a table in a few words.
import { has, t, type Key } from '../i18n.svelte'
import type { OptionValue } from '../preferences.svelte'

/** Write what a player asks first about a table: deck, transfer, who throws in, and what is unusual. */
export function summary(options: Record<string, OptionValue>): string[] {
  const parts = [t('rules.deck', { n: Number(options.deck) }), t(options.transfer ? 'rules.transfer' : 'rules.throw_in')]
  const scope = `rules.${String(options.throw_scope)}`
  if (has(scope) && Number(options.seats) > 2) parts.push(t(scope))
  if (options.draws === false) parts.push(t('rules.no_draws'))
  if (options.cheat) parts.push(t('rules.cheat'))
  return parts
}

/** The name of an option, of one of its values, or the sentence that explains it. */
export function optionWords(option: string, value?: OptionValue): string {
  const name = value === undefined ? option : `${option}.${value === '' ? 'usual' : String(value)}`
  for (const key of [`option.${name}`, `create.option.${name}`]) if (has(key)) return t(key as Key)
  return String(value ?? option)
}
