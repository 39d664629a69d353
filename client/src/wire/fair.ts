// The commitments of the shuffle, byte for byte as docs/fair.md defines them, and what this device can check of a finished game.
import type { Kept } from './seeds'
import { hex, sha256, unhex } from './sha256'

/** The record of one shuffle, as the server reveals it when the game is over. */
export interface ShuffleRecord {
  game: string
  server: { commitment: string; seed: string }
  seats: { origin: 'seat' | 'server' | 'absent'; commitment?: string; seed?: string; absence?: string }[]
}

const text = new TextEncoder()

/** Commit *seed*, in hexadecimal, for *seat* to the game that the server's commitment opened; a bot's seed is the server's. */
export function commitSeat(server: string, seat: number, seed: string, origin: 'seat' | 'server' = 'seat'): string {
  return hash(text.encode('kozyr/1/seat\0'), field(unhex(server)), Uint8Array.of(seat), field(text.encode(origin)), field(unhex(seed)))
}

/** Commit the server's *seed* for the game with the id *game*. */
export function commitServer(game: string, seed: string): string {
  return hash(text.encode('kozyr/1/server\0'), field(text.encode(game)), field(unhex(seed)))
}

/** Whether *record* holds what this device saw and sent: the server's promise kept, all commitments unchanged, its own seed mixed in. */
export function fits(record: ShuffleRecord, kept: Kept, seat: number): boolean {
  const { server, seats } = record
  const own = seats[seat]
  return (
    server.commitment === kept.server &&
    commitServer(record.game, server.seed) === kept.server &&
    own?.seed === kept.seed &&
    own.commitment === commitSeat(kept.server, seat, kept.seed) &&
    seats.every((other, i) => (other.commitment ?? null) === (kept.commitments[i] ?? null))
  )
}

function hash(...parts: Uint8Array[]): string {
  return hex(sha256(join(parts)))
}

/** Write a length in two bytes before the bytes themselves. */
export function field(value: Uint8Array): Uint8Array {
  return join([Uint8Array.of(value.length >> 8, value.length & 255), value])
}

/** Put bytes one after another. */
export function join(parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}
