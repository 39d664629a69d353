// Everything random in a game is drawn from one stream of hashes, byte for byte as docs/fair.md defines it.
import { field, join, type ShuffleRecord } from '../../wire/fair'
import { sha256, unhex } from '../../wire/sha256'

const BLOCK = 64
const WORDS = 2 ** 32
const RANKS = '23456789TJQKA'
const text = new TextEncoder()

/** HMAC-SHA256 (RFC 2104) for keys of at most 64 bytes. */
export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(BLOCK)
  padded.set(key)
  const inner = sha256(join([padded.map((byte) => byte ^ 0x36), message]))
  return sha256(join([padded.map((byte) => byte ^ 0x5c), inner]))
}

/** Stir the server's seed and the seats' seeds together; an absent seat adds no seed. */
export function keyOf({ game, server, seats }: ShuffleRecord): Uint8Array {
  const entries = seats.flatMap(({ origin, seed }) => [
    field(text.encode(origin)),
    field(origin === 'absent' ? new Uint8Array() : unhex(seed ?? '')),
  ])
  const start = [text.encode('kozyr/1/stream\0'), field(text.encode(game)), Uint8Array.of(seats.length)]
  return hmac(unhex(server.seed), join([...start, ...entries]))
}

/** The deck before it is shuffled: suits c d h s, in each the ranks ascending to the ace. */
export function canonical(size: number): string[] {
  return [...'cdhs'].flatMap((suit) => [...RANKS.slice(13 - size / 4)].map((rank) => rank + suit))
}

export class Stream {
  private blocks = 0
  private rest: number[] = []

  constructor(private readonly key: Uint8Array) {}

  /** The next four bytes as a number. */
  word(): number {
    if (!this.rest.length) {
      const counter = new DataView(new ArrayBuffer(8))
      counter.setUint32(4, this.blocks++)
      const block = new DataView(hmac(this.key, new Uint8Array(counter.buffer)).buffer)
      this.rest = Array.from({ length: 8 }, (_, i) => block.getUint32(i * 4))
    }
    return this.rest.shift()!
  }

  /** A number from 0 to n − 1, each equally likely: words past the last whole multiple of n would favour small ones. */
  below(n: number): number {
    const end = Math.floor(WORDS / n) * n
    let word = this.word()
    while (word >= end) word = this.word()
    return word % n
  }

  /** A shuffled deck, the card to be dealt first at its beginning. */
  shuffle(size: number): string[] {
    const deck = canonical(size)
    for (let i = size - 1; i > 0; i--) {
      const j = this.below(i + 1)
      ;[deck[i], deck[j]] = [deck[j]!, deck[i]!]
    }
    return deck
  }
}
