// How pairs of cards share the middle of the felt.

export interface Grid {
  columns: number
  /** Width of a card. */
  card: number
}

/** A pair, and what lies between two of them, in widths and heights by the width of a card; felt/Pairs.svelte draws by them. */
export const PAIR = { width: 1.32, height: 1.62, across: 0.26, down: 0.2 }

const CARD_MAX = 118
const CARD_MIN = 34
const SHARE = 0.2
const TALL = 0.5
const SIDE_BY_SIDE = 3

/**
 * Lay *count* pairs into *width* by *height* pixels, as large as they fit, in as few rows as does not make them smaller; the rows are
 * equally long, but three pairs stay where they were when a fourth comes.
 */
export function grid(count: number, width: number, height: number): Grid {
  const most = Math.min(CARD_MAX, width * SHARE, height * TALL)
  let best: Grid = { columns: 1, card: 0 }
  for (let columns = 1; columns <= Math.max(1, count); columns++) {
    const rows = Math.ceil(count / columns)
    const across = columns * PAIR.width + (columns - 1) * PAIR.across
    const down = rows * PAIR.height + (rows - 1) * PAIR.down
    const card = Math.min(most, width / across, height / down)
    if (card >= best.card) best = { columns, card }
  }
  const rows = Math.ceil(count / best.columns)
  const columns = Math.max(Math.min(SIDE_BY_SIDE, best.columns), Math.ceil(count / rows))
  return { columns: Math.max(1, columns), card: Math.max(CARD_MIN, Math.floor(best.card)) }
}
