// This device's part in the shuffle: it commits to a seed, and reveals it when nobody can choose theirs any more (docs/fair.md).
import { commitSeat } from './fair'
import type { SeedCommit, SeedReveal, TableView } from './messages'
import { hex } from './sha256'

/** What this device keeps of a game's shuffle, so that it can verify it afterwards. */
export interface Kept {
  seed: string
  /** The server's commitment that this device's own was bound to. */
  server: string
  /** By seat, as they stood before this device revealed its seed. */
  commitments: (string | null)[]
}

export interface Shelf {
  get(key: string): string | null
  set(key: string, value: string): void
}

export class Seeds {
  constructor(
    private readonly shelf: Shelf,
    private readonly random: () => Uint8Array,
  ) {}

  /** Name the command that the shuffle waits for from this seat, if any. A retry has the same id, so that it counts once. */
  due(table: TableView, seat: number): SeedCommit | SeedReveal | null {
    const words = table.seeds ?? []
    if (table.stage !== undefined && table.stage !== 'seeds') return null
    if (!table.commitment) return null
    if (words[seat] === 'waiting') {
      const seed = this.kept(table, seat)?.seed ?? hex(this.random())
      this.keep(table, seat, { seed, server: table.commitment, commitments: [] })
      const commitment = commitSeat(table.commitment, seat, seed)
      return { t: 'seed_commit', id: `commit-${table.game}-${seat}`, game: table.game, commitment }
    }
    const kept = this.kept(table, seat)
    if (words[seat] !== 'committed' || words.includes('waiting') || !kept) return null
    this.keep(table, seat, { ...kept, commitments: table.commitments ?? [] })
    return { t: 'seed_reveal', id: `reveal-${table.game}-${seat}`, game: table.game, seed: kept.seed }
  }

  /** What this device kept of the present game, if it took part and the server still stands by its commitment. */
  kept(table: TableView, seat: number): Kept | null {
    const text = this.shelf.get(name(table, seat))
    const kept = text ? (JSON.parse(text) as Kept) : null
    return kept && kept.server === table.commitment ? kept : null
  }

  private keep(table: TableView, seat: number, kept: Kept): void {
    this.shelf.set(name(table, seat), JSON.stringify(kept))
  }
}

function name(table: TableView, seat: number): string {
  return `kozyr.seed.${table.id}.${table.game}.${seat}`
}
