// What this browser remembers of its reader.
import { untrack } from 'svelte'
import { isLanguage, preferred, type Language } from './i18n.svelte'

export type Theme = 'dark' | 'light'
export type OptionValue = boolean | number | string

export interface Preferences {
  /** The reader's own choice; none follows the system. */
  theme: Theme | null
  fourColour: boolean
  sound: boolean
  language: Language
  /** The letters on the cards: those of the language, or A K Q J. */
  letters: 'local' | 'latin' | null
  order: 'suit' | 'rank'
  /** Larger cards in the hand. */
  big: boolean
  /** Whether a phone trembles, and the system tells, when it is one's turn. */
  vibrate: boolean
  notify: boolean
  /** Who is not heard: everybody, or players by their ids, and bots and strangers by their names. */
  muteAll: boolean
  muted: string[]
  name: string
  /** The options of the next table that the reader has chosen. */
  options: Record<string, OptionValue>
  /** How well its bots play. */
  level: string
  /** The table last sat at. */
  table: string | null
}

const SHELF = 'kozyr'

/** A shelf that forgets when the browser keeps nothing: private windows may refuse. */
export const shelf = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  set(key: string, value: string): void {
    try {
      localStorage.setItem(key, value)
    } catch {
      // The page works without its memory; it is asked again next time.
    }
  },
}

function remembered(): Partial<Preferences> {
  try {
    return JSON.parse(shelf.get(SHELF) ?? '{}') as Partial<Preferences>
  } catch {
    return {}
  }
}

function initial(): Preferences {
  const defaults: Preferences = {
    theme: null,
    fourColour: true,
    sound: true,
    language: preferred(navigator.languages),
    letters: null,
    order: 'suit',
    big: false,
    vibrate: true,
    notify: false,
    muteAll: false,
    muted: [],
    name: '',
    options: {},
    level: 'easy',
    table: null,
  }
  const old = remembered()
  return { ...defaults, ...old, language: isLanguage(old.language) ? old.language : defaults.language }
}

export const preferences = $state<Preferences>(initial())

/** Change some preferences and remember them. */
export function prefer(change: Partial<Preferences>): void {
  untrack(() => {
    Object.assign(preferences, change)
    shelf.set(SHELF, JSON.stringify(preferences))
  })
}

const light = matchMedia('(prefers-color-scheme: light)')
let system = $state<Theme>(light.matches ? 'light' : 'dark')
light.addEventListener('change', () => (system = light.matches ? 'light' : 'dark'))

/** The theme to show. */
export const theme = (): Theme => preferences.theme ?? system

/** Whether the cards carry the letters of the language: Russian and Azerbaijani players expect it, the others do not. */
export function localLetters(): boolean {
  if (preferences.letters) return preferences.letters === 'local'
  return preferences.language === 'ru' || preferences.language === 'az'
}
