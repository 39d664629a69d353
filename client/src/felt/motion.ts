// Cards fly from where they were to where they are, whatever list they live in now (FLIP, on the Web Animations API).
import { tick } from 'svelte'
import type { Flight, Flights } from './flight'

/** Where a card lies on the screen: its middle, its width, its turn in degrees. */
interface Spot {
  x: number
  y: number
  width: number
  turn: number
  element: HTMLElement
  /** Whether it lies face down there. */
  back: boolean
}

const FLIGHT_MS = 420
const UP = 'perspective(900px) rotateY(0)'
const DOWN = 'perspective(900px) rotateY(180deg)'
const FACE_UP = [DOWN, DOWN, UP, UP]
const FACE_DOWN = [UP, DOWN, DOWN]
const EASE = 'cubic-bezier(.22,.9,.24,1)'

export const calm = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

const number = (text: string | undefined | null, otherwise = 0): number => {
  const value = parseFloat(text ?? '')
  return Number.isFinite(value) ? value : otherwise
}

function spot(element: HTMLElement): Spot {
  const box = element.getBoundingClientRect()
  const style = getComputedStyle(element)
  // The box of a turned card is wider than the card; its layout width is not, but does not know of `zoom` and `scale`.
  const scale = (style.scale === 'none' ? 1 : number(style.scale, 1)) * (element.currentCSSZoom ?? 1)
  return {
    x: box.left + box.width / 2,
    y: box.top + box.height / 2,
    width: element.offsetWidth * scale,
    turn: style.rotate === 'none' ? 0 : number(style.rotate),
    element,
    back: false,
  }
}

function anchor(name: string): Spot | null {
  const element = document.querySelector<HTMLElement>(`[data-anchor="${name}"]`)
  if (!element) return null
  const box = element.getBoundingClientRect()
  const { width, turn } = element.dataset
  return {
    x: box.left + box.width / 2,
    y: box.top + box.height / 2,
    width: number(width, box.width),
    turn: number(turn),
    element,
    back: true,
  }
}

const cards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-card]')]

/** Make *change* and fly every card that it moved; resolve when the last has landed. *pace* shortens the flights. */
export async function fly(change: () => void, flights: Flights, pace: number): Promise<void> {
  if (calm() || document.hidden) {
    change()
    await tick()
    return
  }
  const before = new Map(cards().map((element) => [element.dataset.card!, spot(element)]))
  change()
  await tick()
  const elements = cards()
  for (const element of elements) for (const animation of element.getAnimations()) if (animation.id === 'fly') animation.cancel()
  // Every read comes before the first write, so that the browser lays the page out once.
  const landed = elements.map((element) => [element.dataset.card!, spot(element)] as const)
  const running = landed.map(([card, now]) => {
    const flight = flights.cards.get(card)
    const was = before.get(card) ?? (flight?.from ? anchor(flight.from) : null)
    return was ? land(was, now, flight, pace) : null
  })
  const here = new Set(landed.map(([card]) => card))
  for (const [card, was] of before) if (!here.has(card)) running.push(leave(was, flights.cards.get(card), pace))
  for (const back of flights.backs) running.push(flyBack(back, pace))
  await Promise.all(running)
}

/** Fly a card that lies at *now* in from where it *was*. */
function land(was: Spot, now: Spot, flight: Flight | undefined, pace: number): Promise<unknown> | null {
  const element = now.element
  const dx = was.x - now.x
  const dy = was.y - now.y
  const size = was.width / now.width
  const distance = Math.hypot(dx, dy)
  if (distance < 1 && Math.abs(size - 1) < 0.01 && Math.abs(was.turn - now.turn) < 0.5) return null
  const duration = Math.min(FLIGHT_MS * (0.75 + distance / 900), FLIGHT_MS * 1.5) * pace
  const delay = (flight?.delay ?? 0) * pace
  const grown = 0.3 * size + 0.7 + Math.min(0.1, distance / 4000)
  // Half way it has slowed down, risen a little and grown: a card that is thrown, not pushed.
  const half = `${dx * 0.32}px ${dy * 0.32 - Math.min(26, distance * 0.06)}px`
  element.style.zIndex = '60'
  const flying = element.animate(
    [
      { translate: `${dx}px ${dy}px`, rotate: `${was.turn}deg`, scale: String(size) },
      { translate: half, rotate: `${was.turn * 0.3 + now.turn * 0.7}deg`, scale: String(grown), offset: 0.5 },
      { translate: '0 0', rotate: `${now.turn}deg`, scale: '1' },
    ],
    { id: 'fly', duration, delay, easing: EASE, fill: 'backwards' },
  )
  if (was.back) turnOver(element, FACE_UP, [0, 0.04, 0.5, 1], { duration, delay, fill: 'backwards' })
  return flying.finished
    .catch(() => null)
    .then(() => {
      if (!element.getAnimations().some((animation) => animation.id === 'fly')) element.style.zIndex = ''
    })
}

/** Fly a card that has left the felt to where its flight goes. */
function leave(was: Spot, flight: Flight | undefined, pace: number): Promise<unknown> | null {
  const to = flight?.to ? anchor(flight.to) : null
  return to ? ghost(was.element, was, to, (flight?.delay ?? 0) * pace, FLIGHT_MS * 1.15 * pace, true) : null
}

function flyBack(back: Required<Flight>, pace: number): Promise<unknown> | null {
  const from = anchor(back.from)
  const to = anchor(back.to)
  const pattern = document.querySelector<HTMLElement>('[data-pattern="back"]')
  if (!from || !to || !pattern) return null
  return ghost(pattern, from, to, back.delay * pace, FLIGHT_MS * pace, false)
}

function ghost(pattern: HTMLElement, from: Spot, to: Spot, delay: number, duration: number, turns: boolean): Promise<unknown> {
  const copy = pattern.cloneNode(true) as HTMLElement
  for (const name of ['data-card', 'data-pattern', 'data-anchor', 'id']) copy.removeAttribute(name)
  const { width } = from
  const height = width * 1.4
  copy.style.cssText =
    `position:fixed;left:${from.x - width / 2}px;top:${from.y - height / 2}px;width:${width}px;height:${height}px;` +
    `margin:0;--cw:${width}px;rotate:none;pointer-events:none`
  document.getElementById('fly')?.append(copy)
  if (turns) turnOver(copy, FACE_DOWN, [0, 0.7, 1], { duration, delay, fill: 'both' })
  const flying = copy.animate(
    [
      { translate: '0 0', rotate: `${from.turn}deg`, scale: '1', opacity: delay ? 0 : 1 },
      { opacity: 1, offset: 0.02 },
      { opacity: 1, offset: 0.85 },
      { translate: `${to.x - from.x}px ${to.y - from.y}px`, rotate: `${to.turn}deg`, scale: String(to.width / width), opacity: 0 },
    ],
    { duration, delay, easing: EASE, fill: 'both' },
  )
  return flying.finished.catch(() => null).finally(() => copy.remove())
}

function turnOver(element: HTMLElement, transforms: string[], offsets: number[], timing: KeyframeEffectOptions): void {
  const frames = transforms.map((transform, i) => ({ transform, offset: offsets[i]! }))
  const turn = element.querySelector<HTMLElement>('.turn')
  if (!turn) return
  element.dataset.turns = ''
  const turning = turn.animate(frames, { easing: 'ease-in-out', ...timing })
  void turning.finished.catch(() => null).then(() => delete element.dataset.turns)
}
