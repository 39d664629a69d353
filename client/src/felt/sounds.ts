// What is heard, if the reader wants to hear anything: the instruments are fetched with the first sound.
import type { Sound } from './kit'

export const sound = { on: false }

let kit: Promise<typeof import('./kit')> | null = null

/** Play *name* after *delay* milliseconds, if sound is on and the reader has touched the page: browsers forbid it before. */
export function play(name: Sound, delay = 0): void {
  if (!sound.on || !navigator.userActivation?.hasBeenActive) return
  const due = performance.now() + delay
  kit ??= import('./kit')
  kit.then(
    ({ make }) => make(name, due - performance.now()),
    () => (kit = null),
  )
}
