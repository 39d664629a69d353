// Who leads a series (R12.2).
import type { SeriesView } from '../wire/messages'

/** The seats that nobody is ahead of: none before anything was won or lost. */
export function leaders({ wins, losses, standing }: SeriesView): number[] {
  const first = standing[0]
  if (first === undefined || [...wins, ...losses].every((count) => !count)) return []
  return standing.filter((seat) => wins[seat] === wins[first] && losses[seat] === losses[first])
}
