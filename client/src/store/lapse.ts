// Whether the clock has moved for the viewer (R16.2).
import type { Event } from '../wire/messages'

/** Tell whether *events* hold an attack or a take that the clock made for seat *me*; a late pass costs nothing. */
export function lapsed(events: Event[], me: number): boolean {
  return events.some((event) => (event.e === 'attack' || event.e === 'take') && event.seat === me && event.late === true)
}
