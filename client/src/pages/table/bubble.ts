// What a seat says aloud: the words of a move, a phrase, or a face.
import { t, type Key } from '../../i18n.svelte'
import type { SaidAloud } from '../../store/state'
import type { Event } from '../../wire/messages'

export interface Bubble {
  text: string
  /** The drawing that is shown instead of the words. */
  face?: string
}

export const FACES = ['smile', 'laugh', 'wink', 'cry', 'angry', 'shock', 'clap', 'sleep'] as const

/** Write what *event* says aloud; *adding* while others add cards to a take. */
export function bubbleOf(event: Event | SaidAloud | undefined, adding: boolean): Bubble | null {
  if (!event) return null
  if (event.e === 'said') {
    const face = FACES.find((name) => name === event.phrase)
    return { text: t(`phrase.${event.phrase}` as Key), ...(face ? { face } : {}) }
  }
  return { text: event.e === 'pass' && !adding ? t('say.done') : t(`say.${event.e}` as Key) }
}
