// Splits the catalogue of a language: what the home page and the table say comes first, the rest with the pages that say it.
import type { Plugin } from 'vite'

/** The first words of the keys that only pages say which are loaded when somebody goes there. */
const LATER = [
  'account', 'coins', 'create', 'explain', 'fair', 'gather', 'lobby', 'phrase', 'profile', 'rulebook', 'sheet', 'verify',
]

/** What can go wrong at any moment; the words for everything else that can are fetched when it does. */
const ERRORS = ['internal', 'no_table', 'not_so_fast', 'offline', 'taken_over', 'unexpected', 'version']

function isLater(key: string): boolean {
  const [first, code] = key.split('.', 2) as [string, string?]
  return first === 'error' ? !ERRORS.includes(code!) : LATER.includes(first)
}

export const catalogue: Plugin = {
  name: 'kozyr-catalogue',
  enforce: 'pre',
  transform(code, id) {
    const part = /locale\/\w+\.json\?part=(first|later)$/.exec(id)?.[1]
    if (!part) return null
    const entries = Object.entries(JSON.parse(code) as Record<string, unknown>)
    const kept = Object.fromEntries(entries.filter(([key]) => isLater(key) === (part === 'later')))
    return { code: `export default ${JSON.stringify(kept)}`, moduleType: 'js', map: null }
  },
}
