// What a reader of the list may ask for, as the values of the fields on the page.
import type { Filter } from '../../wire/messages'

/** Each field by name; nothing chosen is the empty text. */
export type Asked = Record<Field, string>
export type Field = 'deck' | 'seats' | 'transfer' | 'scope' | 'cheating' | 'stake'

export const NOTHING: Asked = { deck: '', seats: '', transfer: '', scope: '', cheating: '', stake: '' }
export const FIELDS: Record<Field, string[]> = {
  deck: ['24', '36', '52'],
  seats: ['2', '3', '4', '5', '6'],
  transfer: ['true', 'false'],
  scope: ['all', 'neighbours', 'attacker'],
  cheating: ['false', 'true'],
  stake: ['0', '50', '100', '500', '1000', '10000'],
}
const NUMBERS = new Set(['deck', 'seats', 'stake'])
const SWITCHES = new Set(['transfer', 'cheating'])

/** Write what is *asked* for as the server's filter; *free* asks for tables with an empty seat. */
export function filterOf(asked: Asked, free: boolean): Filter {
  const chosen = Object.entries(asked).filter(([, value]) => value)
  const values = chosen.map(([name, value]) => [name, NUMBERS.has(name) ? Number(value) : SWITCHES.has(name) ? value === 'true' : value])
  return { t: 'filter', ...Object.fromEntries(values), ...(free ? { free } : {}) }
}

/** Read what the browser remembers of the last filter. */
export function remembered(text: string | null): Asked {
  let old: Partial<Asked> | null
  try {
    old = JSON.parse(text ?? 'null') as Partial<Asked> | null
  } catch {
    old = null
  }
  const fields = Object.keys(NOTHING) as Field[]
  return Object.fromEntries(fields.map((name) => [name, FIELDS[name].includes(old?.[name] ?? '') ? old![name]! : ''])) as Asked
}

/** How many fields ask for something. */
export const count = (asked: Asked): number => Object.values(asked).filter(Boolean).length
