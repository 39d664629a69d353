// The page's clock, for what runs on the screen; it ticks only while something that is shown reads it.
import { createSubscriber } from 'svelte/reactivity'
import type { RunningClock } from './state'

const TICK_MS = 250
/** From here on the seconds are shown as a number. */
export const LATE_MS = 10_000

const tick = createSubscriber((update) => {
  const timer = setInterval(update, TICK_MS)
  return () => clearInterval(timer)
})

/** The milliseconds of the page's clock. */
export function now(): number {
  tick()
  return performance.now()
}

/** The seconds that a table's clock still has, once they are few. */
export class Countdown {
  private isLate = $state(false)

  constructor(private readonly clock: () => RunningClock | null) {
    $effect(() => {
      const running = this.clock()
      this.isLate = false
      if (!running) return
      const timer = setTimeout(() => (this.isLate = true), Math.max(0, running.ends - LATE_MS - performance.now()))
      return () => clearTimeout(timer)
    })
  }

  readonly seconds = $derived.by(() => {
    const running = this.clock()
    return running && this.isLate ? Math.max(0, Math.ceil((running.ends - now()) / 1000)) : null
  })
}
