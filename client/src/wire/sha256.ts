// SHA-256 (FIPS 180-4). The browser's own needs a secure context, which a table on a home network's plain address is not.

// The first 32 bits of the fractional parts of the cube roots (rounds) and square roots (start) of the first primes.
const PRIMES = primes(64)
const ROUNDS = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

function primes(count: number): number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n)
  return found
}

function fraction(x: number): number {
  return ((x - Math.floor(x)) * 2 ** 32) >>> 0
}

/** Hash *bytes*. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const length = Math.ceil((bytes.length + 9) / 64) * 64
  const padded = new Uint8Array(length)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(length - 4, bytes.length << 3)
  const hash = START.slice()
  for (let at = 0; at < length; at += 64) block(hash, view, at)
  const out = new DataView(new ArrayBuffer(32))
  hash.forEach((word, i) => out.setUint32(i * 4, word))
  return new Uint8Array(out.buffer)
}

function block(hash: Uint32Array, view: DataView, at: number): void {
  const w = new Uint32Array(64)
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + i * 4)
  for (let i = 16; i < 64; i++) w[i] = w[i - 16]! + mix(w[i - 15]!, 7, 18, 3) + w[i - 7]! + mix(w[i - 2]!, 17, 19, 10)
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const one = (h + turn(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + ROUNDS[i]! + w[i]!) >>> 0
    const two = (turn(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c))) >>> 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0]
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] = hash[i]! + word))
}

const rotate = (x: number, by: number): number => (x >>> by) | (x << (32 - by))
const turn = (x: number, i: number, j: number, k: number): number => rotate(x, i) ^ rotate(x, j) ^ rotate(x, k)
const mix = (x: number, i: number, j: number, k: number): number => rotate(x, i) ^ rotate(x, j) ^ (x >>> k)

/** Write *bytes* as hexadecimal. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Read hexadecimal; anything else in *text* is a programming error. */
export function unhex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}
