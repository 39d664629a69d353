// What pages about people say alike: problems, and when something was.
import { explain, has, language, t } from '../i18n.svelte'
import type { Problem } from '../wire/messages'

/** Write why something was refused; a reason that has a sentence of its own is told by it. */
export function told({ code, about = '' }: Problem): string {
  const key = `account.${code}.${about}`
  if (code === 'stopped') return t('account.passkey.stopped')
  return has(key) ? t(key) : explain(code, about)
}

/** Write a moment in the reader's way; a day alone where the hour does not matter. */
export function moment(at: number, hour = true): string {
  const known = Intl.DateTimeFormat.supportedLocalesOf(language())[0]
  const written = known ? new Intl.DateTimeFormat(known, { dateStyle: 'medium', ...(hour && { timeStyle: 'short' }) }).format(at) : ''
  // A browser that lacks the language would name months in its own, and one that has half of it as M12: numbers are read everywhere.
  if (written && !/M\d\d/.test(written)) return written
  const date = new Date(at)
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = `${two(date.getDate())}.${two(date.getMonth() + 1)}.${date.getFullYear()}`
  return hour ? `${day}, ${two(date.getHours())}:${two(date.getMinutes())}` : day
}

/** Write a change of coins with its sign. */
export function signed(coins: number): string {
  return coins > 0 ? `+${coins}` : String(coins).replace('-', '−')
}
