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
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', ...(hour && { timeStyle: 'short' }) }).format(at)
}

/** Write a change of coins with its sign. */
export function signed(coins: number): string {
  return new Intl.NumberFormat(language(), { signDisplay: 'exceptZero' }).format(coins)
}
