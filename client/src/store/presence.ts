// Who is away, and since when.
import type { Player, ServerMessage } from '../wire/messages'

/** By seat: since when its person has been away, in milliseconds of this page's clock. */
export type Away = Readonly<Record<number, number>>

/** Tell who is away after *message*, which came at *now*. */
export function awayAfter(away: Away, message: ServerMessage, now: number): Away {
  if (message.t === 'presence') {
    const { [message.seat]: since, ...others } = away
    return message.here ? others : { ...others, [message.seat]: since ?? now }
  }
  if ((message.t !== 'welcome' && message.t !== 'update') || !message.table) return away
  return Object.fromEntries(
    message.table.players.flatMap((player, seat) => (isAway(player) ? [[seat, since(player, away[seat], now)] as const] : [])),
  )
}

function isAway(player: Player): boolean {
  return player.kind === 'person' && player.here === false
}

// A message that names no time leaves what is known.
function since(player: Player, known: number | undefined, now: number): number {
  return player.away_ms === undefined ? (known ?? now) : now - player.away_ms
}

/** Write a stretch of time as on a clock: *0:20*. */
export function onClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
