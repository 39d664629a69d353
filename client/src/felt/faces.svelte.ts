// How cards look for this reader.

/** The corner letters of ranks that are not their own digit. */
export const faces = $state<{ letters: Record<string, string> }>({ letters: {} })

export const LATIN: Record<string, string> = { T: '10' }
