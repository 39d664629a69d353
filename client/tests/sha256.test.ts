import { expect, test } from 'vitest'
import { hex, sha256, unhex } from '../src/wire/sha256'

test('hashes the standard’s own examples', () => {
  const of = (text: string): string => hex(sha256(new TextEncoder().encode(text)))
  expect(of('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(of('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('agrees with the platform for every length around the block size', async () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 255)
    const expected = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    expect(hex(sha256(bytes))).toBe(hex(expected))
  }
})

test('reads the hexadecimal that it writes', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
  expect(unhex(hex(bytes))).toEqual(bytes)
})
