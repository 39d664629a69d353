import { expect, test } from 'vitest'
import rules from '../src/fonts/fonts.css?raw'
import az from '@locale/az.json'
import it from '@locale/it.json'
import lt from '@locale/lt.json'
import tr from '@locale/tr.json'

const own = new Set([...rules.matchAll(/U\+([0-9A-F]{4})/g)].map((found) => parseInt(found[1]!, 16)))

test.each(Object.entries({ az, it, lt, tr }))('the small file has every letter that %s adds to Latin', (_, catalogue) => {
  const letters = new Set(JSON.stringify(catalogue).match(/\p{L}/gu))
  // Latin-1 and the dotless i are in the file that every language loads.
  const added = [...letters].map((letter) => letter.codePointAt(0)!).filter((code) => code > 0xff && code !== 0x131)
  expect(added.filter((code) => !own.has(code))).toEqual([])
})
