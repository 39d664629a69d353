// What the pages say of a table's options and of bots, and in the browser's title.
import { has, t } from '../i18n.svelte'
import type { OptionValue } from '../preferences.svelte'
import type { Player } from '../wire/messages'
import { summary } from './rules'

/** Name a player; the server's bots are called in the reader's language. */
export function named({ kind, name }: Pick<Player, 'kind' | 'name'>): string {
  return kind === 'bot' ? name.replace(/^Bot (?=\d+$)/, `${t('seat.bot')} `) : name
}

/** Name a level of bots. */
export function levelWords(level: string): string {
  const key = `level.${level}`
  return has(key) ? t(key) : level
}

/** Write the options of a table in a few words: its rules, its clock, its stake, its series. */
export function inWords(options: Record<string, OptionValue>): string[] {
  const { turn_s: turn = 30, stake = 0, series = false, series_games: games = 0 } = options
  const parts = summary(options)
  parts.push(turn ? t('create.turn', { n: Number(turn) }) : t('create.turn.off'))
  if (series) parts.push(games ? t('create.series.of', { n: Number(games) }) : t('create.series'))
  if (stake) parts.push(t('create.stake', { n: Number(stake) }))
  return parts
}

/** Put *title* into the browser's title; what is returned takes it away again. */
export function entitle(title: string): () => void {
  document.title = `${title} · ${t('app')}`
  return () => (document.title = t('app.title'))
}
