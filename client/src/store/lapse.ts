// Whether the server has moved for the viewer because the time was up (R16.2).
import type { Event } from '../wire/messages'

/**
 * Tell whether *events* hold an attack or a take of seat *me* that nobody on this page has asked for; *sent* are the kinds of moves that
 * were. A verdict makes one take as well.
 */
export function lapsed(events: Event[], me: number, sent: string[]): boolean {
  if (events.some((event) => event.e === 'challenge')) return false
  return events.some((event) => (event.e === 'attack' || event.e === 'take') && event.seat === me && !sent.includes(event.e))
}
