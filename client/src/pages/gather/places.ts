// The seats of a table between its games, as the reader sees them.
import type { Player, TableView } from '../../wire/messages'

export interface Place {
  seat: number
  kind: 'person' | 'bot' | 'empty'
  /** The player, to be named in the reader's language. */
  player: Player
  avatar: number
  /** The colour of the face, as at the table. */
  tint: number
  level: string
  me: boolean
  host: boolean
  ready: boolean
  away: boolean
}

/** Describe every seat of *table* to the player of seat *me*, or to somebody without one. */
export function places(table: TableView, me: number | null): Place[] {
  const ready = readySeats(table)
  return table.players.map((player, seat) => ({
    seat,
    kind: player.kind as Place['kind'],
    player,
    avatar: player.avatar ?? 0,
    tint: (seat - (me ?? 0) + table.players.length) % table.players.length,
    level: player.level ?? '',
    me: seat === me,
    host: seat === table.host,
    ready: player.kind === 'bot' || ready.includes(seat),
    away: player.kind === 'person' && player.here === false && seat !== me,
  }))
}

/** The persons who have said that they are ready for the next game. */
export function readySeats(table: TableView): number[] {
  return (table.stage === 'over' ? table.again : table.ready) ?? []
}

/** Whether people come together here now: before the first game, or at an empty seat between two. */
export function gathers(table: TableView): boolean {
  return table.stage === 'gathering' || table.stage === 'closed' || (table.stage === 'over' && freeSeats(table).length > 0)
}

export function freeSeats(table: TableView): number[] {
  return table.players.flatMap((player, seat) => (player.kind === 'empty' ? [seat] : []))
}

/** Whom the next game waits for, once every seat is taken. */
export function unready(all: Place[]): Place[] {
  return all.filter((place) => place.kind === 'person' && !place.ready)
}
