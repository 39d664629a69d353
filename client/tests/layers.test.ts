// The felt knows cards, places and gestures, not Durak: it asks nothing of the store's and the server's rules.
import { expect, test } from 'vitest'

const sources = import.meta.glob<string>('../src/**/*.{ts,svelte}', { query: '?raw', import: 'default', eager: true })
const imports = (text: string): string[] => [...text.matchAll(/^\s*import (?!type)[^'"]*['"](\.[^'"]+)['"]/gm)].map((match) => match[1]!)
const inside = (folder: string): [string, string][] => Object.entries(sources).filter(([path]) => path.startsWith(`../src/${folder}/`))

test('the felt imports nothing but the felt', () => {
  for (const [path, text] of inside('felt')) expect([path, imports(text).filter((from) => !from.startsWith('./'))]).toEqual([path, []])
})

test('the wire imports nothing but the wire', () => {
  for (const [path, text] of inside('wire')) expect([path, imports(text).filter((from) => !from.startsWith('./'))]).toEqual([path, []])
})

test('what reduces, folds, offers and words does so without a page, a socket or a clock', () => {
  for (const name of ['reduce', 'fold', 'offers', 'words', 'counter', 'flights', 'seats', 'seen', 'stage', 'state']) {
    expect(sources[`../src/store/${name}.ts`]).not.toMatch(/\b(document|window|WebSocket|setTimeout|Date\.now|Math\.random)\b/)
  }
})
