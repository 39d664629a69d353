// Splits the catalogue of a language: what the home page and the table say comes first, the rest with the pages that say it. English is
// in the bundle whatever the reader speaks: what home alone says of it is a part of its own.
import type { Plugin } from 'vite'

/** The first words of the keys that only pages say which are loaded when somebody goes there. */
const LATER = [
  'account', 'coins', 'create', 'explain', 'fair', 'gather', 'lobby', 'phrase', 'profile', 'rulebook', 'sheet', 'verify',
]

/** Keys that begin so are only said by pieces of the table that are fetched when they are wanted. */
const PIECES = /^(menu\.|end\.(reason|starting|the_durak|waiting|wink))/

/** What only home says at once. */
const HOME = ['home', 'option', 'preset']

/** What can go wrong at any moment; the words for everything else that can are fetched when it does. */
const ERRORS = ['internal', 'no_table', 'not_so_fast', 'offline', 'taken_over', 'unexpected', 'version']

function partOf(key: string): 'first' | 'home' | 'later' {
  const [first, code] = key.split('.', 2) as [string, string?]
  if (HOME.includes(first)) return 'home'
  return (first === 'error' ? !ERRORS.includes(code!) : LATER.includes(first) || PIECES.test(key)) ? 'later' : 'first'
}

/** What the part of a file has: the pages that come later find the words of home in the English part that comes with them. */
function has(part: string, isEnglish: boolean, key: string): boolean {
  const own = partOf(key)
  return own === part || (own === 'home' && part === (isEnglish ? 'later' : 'first'))
}

export const catalogue: Plugin = {
  name: 'kozyr-catalogue',
  enforce: 'pre',
  transform(code, id) {
    const [, language, part] = /locale\/(\w+)\.json\?part=(first|home|later)$/.exec(id) ?? []
    if (!part) return null
    const entries = Object.entries(JSON.parse(code) as Record<string, unknown>)
    const kept = Object.fromEntries(entries.filter(([key]) => has(part, language === 'en', key)))
    return { code: `export default ${JSON.stringify(kept)}`, moduleType: 'js', map: null }
  },
}
