// The check of a finished game's shuffle in this browser, step by step as docs/fair.md lists them.
import type { Key } from '../../i18n.svelte'
import { commitSeat, commitServer } from '../../wire/fair'
import type { Kept, Shelf } from '../../wire/seeds'
import { draw } from './draw'
import type { GameFile } from './gamefile'
import { keyOf, Stream } from './stream'

/** One thing that was looked at: its title and what it means are in the catalogue by `code`. `isRight` null: nothing to compare with. */
export interface Check {
  code: 'server' | 'seat' | 'bot' | 'absent' | 'own' | 'seen' | 'tags' | 'dealer' | 'pack' | 'attacker'
  isRight: boolean | null
  seat?: number
  /** What was published, and what follows from the seeds; by what they are called. */
  shown: [Key, string][]
}

/** Check a game; *kept* is by seat what this browser remembers from before the deal. */
export function check(game: GameFile, kept: Map<number, Kept>): Check[] {
  return [...checkSeeds(game), ...[...kept].flatMap(([seat, own]) => checkKept(game, own, seat)), checkTags(game), ...checkDraws(game)]
}

/** Find what this browser has kept of a game's shuffle, whichever seats it played. */
export function keptOf(game: GameFile, shelf: Pick<Shelf, 'get'>): Map<number, Kept> {
  const [, table, number] = /^(.+)\/(\d+)$/.exec(game.shuffle.game) ?? []
  const found = new Map<number, Kept>()
  game.shuffle.seats.forEach((_, seat) => {
    const own = readKept(shelf.get(`kozyr.seed.${table}.${number}.${seat}`))
    if (own) found.set(seat, own)
  })
  return found
}

function readKept(text: string | null): Kept | null {
  try {
    const kept = JSON.parse(text ?? 'null') as Kept | null
    return kept?.seed && Array.isArray(kept.commitments) ? kept : null
  } catch {
    return null
  }
}

function checkSeeds({ shuffle }: GameFile): Check[] {
  const { game, server, seats } = shuffle
  const promised = commitServer(game, server.seed)
  const checks: Check[] = [compare('server', server.commitment, promised, 'verify.promised', 'verify.from_seed')]
  seats.forEach(({ origin, absence, commitment, seed }, seat) => {
    if (origin !== 'absent') {
      const own = commitSeat(server.commitment, seat, seed!, origin)
      const code = origin === 'server' ? 'bot' : 'seat'
      checks.push({ ...compare(code, commitment!, own, 'verify.promised', 'verify.from_seed'), seat })
      return
    }
    // A seat that is said to have sent a wrong seed must really have: else the server left it out.
    const fits = absence === 'mismatch' && commitSeat(server.commitment, seat, seed ?? '') === commitment
    checks.push({ code: 'absent', isRight: fits ? false : null, seat, shown: commitment ? [['verify.promised', commitment]] : [] })
  })
  return checks
}

function checkKept({ shuffle: { server, seats } }: GameFile, kept: Kept, seat: number): Check[] {
  const recorded = seats.map((each) => each.commitment ?? null)
  const own = { ...compare('own', kept.seed, seats[seat]?.seed ?? '–', 'verify.kept', 'verify.recorded'), seat }
  if (!kept.commitments.length) return [own]
  const written = (first: string, others: (string | null)[]): string => [first, ...others.map((each) => each ?? '–')].join(' ')
  const before = written(kept.server, kept.commitments)
  return [own, compare('seen', before, written(server.commitment, recorded), 'verify.kept', 'verify.recorded')]
}

function checkTags({ tags, options, shuffle }: GameFile): Check {
  const said = [tags.Game, tags.Commit, options.seats].join(' ')
  const shuffled = [shuffle.game, shuffle.server.commitment, shuffle.seats.length].join(' ')
  return compare('tags', said, shuffled, 'verify.recorded', 'verify.shuffled')
}

function checkDraws(game: GameFile): Check[] {
  const { options, shuffle, previous, dealer, pack, attacker, tags } = game
  if (shuffle.seats.length !== options.seats || (tags.Previous !== undefined && !previous)) {
    return [{ code: 'pack', isRight: false, shown: [] }]
  }
  const drawn = draw(options, new Stream(keyOf(shuffle)), previous)
  const pair = (code: Check['code'], said: string, found: string): Check => compare(code, said, found, 'verify.recorded', 'verify.drawn')
  return [
    pair('dealer', String(dealer + 1), String(drawn.dealer + 1)),
    pair('pack', pack.join(' '), drawn.pack.join(' ')),
    pair('attacker', String(attacker + 1), String(drawn.attacker + 1)),
  ]
}

function compare(code: Check['code'], said: string, found: string, saidKey: Key, foundKey: Key): Check {
  return { code, isRight: said === found, shown: [[saidKey, said], [foundKey, found]] }
}
