// Splits the catalogue of a language: what the home page and the table say comes first, the rest with the pages that say it.
import type { Plugin } from 'vite'

/** The first words of the keys that only pages say which are loaded when somebody goes there. */
const LATER = [
  'account', 'coins', 'create', 'explain', 'fair', 'gather', 'lobby', 'phrase', 'profile', 'rulebook', 'sheet', 'verify',
]

const isLater = (key: string): boolean => LATER.includes(key.split('.', 1)[0]!)

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
