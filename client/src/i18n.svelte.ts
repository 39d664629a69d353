// The catalogue of one language: {holes}, plural forms by Intl.PluralRules, names of cards.
// English is in the bundle, the rest comes when asked for; so do, in every language, the words of the pages that come later themselves.
import type words from '@locale/en.json'
import en from '@locale/en.json?part=first'
import type { Filling, Sentence } from './store/words'

export type Key = keyof typeof words
type Message = string | Record<string, string>
type Catalogue = Record<string, Message>

export const LANGUAGES = {
  en: 'English',
  ru: 'Русский',
  az: 'Azərbaycanca',
  tr: 'Türkçe',
  lt: 'Lietuvių',
  it: 'Italiano',
} as const
export type Language = keyof typeof LANGUAGES

type Files = Record<string, () => Promise<Catalogue>>
const first: Files = import.meta.glob<Catalogue>(['../../src/kozyr/locale/*.json', '!../../src/kozyr/locale/en.json'], {
  query: '?part=first',
  import: 'default',
})
const later: Files = import.meta.glob<Catalogue>('../../src/kozyr/locale/*.json', { query: '?part=later', import: 'default' })

interface Current {
  language: Language
  messages: Catalogue
  plural: Intl.PluralRules
  /** None where the browser would write another language's word for *and*. */
  list: Intl.ListFormat | null
}

function current(language: Language, messages: Catalogue): Current {
  const list = Intl.ListFormat.supportedLocalesOf(language).length ? new Intl.ListFormat(language, { type: 'conjunction' }) : null
  return { language, messages, plural: new Intl.PluralRules(language), list }
}

let now = $state.raw(current('en', en))
let english: Catalogue = en
let isLater = false
let isLost = false
let more: Promise<void> | null = null
/** The language to turn to, which may still be on its way. */
let wanted: Language = 'en'
let turns = 0
let turned = 0

export const language = (): Language => now.language

export function isLanguage(word: string | null | undefined): word is Language {
  return !!word && word in LANGUAGES
}

/** The first of the browser's languages that there is. */
export function preferred(words: readonly string[]): Language {
  return words.map((word) => word.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en'
}

/** Turn the page to *language*. */
export async function speak(language: Language): Promise<void> {
  const turn = ++turns
  wanted = language
  const file = `../../src/kozyr/locale/${language}.json`
  const [messages, more] = await Promise.all([language === 'en' ? null : first[file]!(), isLater ? later[file]!() : {}])
  // What was asked for later may have come first: it is in another language, or has more words.
  if (turn < turned) return
  turned = turn
  now = current(language, { ...(messages ?? english), ...more })
  document.documentElement.lang = language
}

/** Fetch the words of the pages that are loaded when somebody goes there. */
export function sayMore(): Promise<void> {
  more ??= (async () => {
    english = { ...english, ...(await later['../../src/kozyr/locale/en.json']!()) }
    isLater = true
    await speak(wanted)
  })().catch((error: unknown) => {
    more = null
    throw error
  })
  return more
}

/** Take in further words of the English catalogue, which come with a page. */
export function learn(words: Catalogue): void {
  english = { ...words, ...english }
  if (now.language === 'en') now = current('en', { ...words, ...now.messages })
}

/** Write *key* in the reader's language. */
export function t(key: Key, fill: Record<string, string | number> = {}): string {
  return write(key, fill)
}

/** Whether the catalogue has *key*. */
export function has(key: string): key is Key {
  return key in english
}

function write(key: string, fill: Record<string, string | number>): string {
  let message = now.messages[key] ?? english[key] ?? key
  if (typeof message !== 'string') message = message[now.plural.select(Number(fill.n))] ?? message.other ?? key
  return message.replace(/\{(\w+)\}/g, (_, hole: string) => String(fill[hole] ?? ''))
}

/**
 * Write a refusal or a fault in words; a code without words of its own is told as something unexpected. Most words are fetched when they
 * are needed: until then there are none.
 */
export function explain(code: string, about = ''): string {
  const key = `error.${code}`
  if (!has(key) && waits()) return write('…', {})
  return write(has(key) ? key : 'error.unexpected', { code, about: cardLike(about) ? cardName(about) : about })
}

/** Whether more words may still come; if they cannot be had now, what is shown is written without them. */
function waits(): boolean {
  if (isLater || isLost) return false
  sayMore().catch(() => {
    isLost = true
    now = { ...now }
  })
  return true
}

function cardLike(word: string): boolean {
  return /^[2-9TJQKA][cdhs]$/.test(word)
}

/** Name a card in full: *seven of hearts*. */
export function cardName(card: string, trump: string | null = null): string {
  const name = write('card', { rank: write(`rank.${card[0]}`, {}), suit: write(`suit.of.${card[1]}`, {}) })
  return card[1] === trump ? write('card.trump', { card: name }) : name
}

/** Whether the language writes other letters on its cards than J, Q, K and A. */
export const ownLetters = (): boolean => [...'JQKA'].some((rank) => write(`letter.${rank}`, {}) !== rank)

export function suitName(suit: string): string {
  return has(`suit.${suit}`) ? write(`suit.${suit}`, {}) : ''
}

/** Write a stretch of time in full: *20 seconds*, *1 minute*. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  // In words of the catalogue: some browsers know no units in Azerbaijani.
  return seconds % 60 ? t('time.seconds', { n: seconds }) : t('time.minutes', { n: seconds / 60 })
}

/** Write words one after another: *a, b and c*. */
export function listed(words: string[]): string {
  return now.list?.format(words) ?? words.join(', ')
}

/** Write a sentence about seats and cards; *name* names a seat. */
export function express(sentence: Sentence, name: (seat: number) => string): string {
  const words = Object.entries(sentence.fill).map(([hole, filling]) => [hole, fillingWord(filling, name)] as const)
  return write(sentence.key, Object.fromEntries(words))
}

function fillingWord(filling: Filling, name: (seat: number) => string): string | number {
  if (typeof filling !== 'object') return filling
  if ('seat' in filling) return name(filling.seat)
  if ('seats' in filling) return listed(filling.seats.map(name))
  if ('suit' in filling) return suitName(filling.suit)
  if ('phrase' in filling) return write(`phrase.${filling.phrase}`, {})
  return listed(filling.cards.map((card) => cardName(card)))
}
