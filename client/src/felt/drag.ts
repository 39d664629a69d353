// One pointer that drags one card, or several with it.

export interface Dragging {
  /** The card was grabbed and has left its place. */
  start(card: string): void
  move(x: number, y: number): void
  /** Tell whether the drop was taken; if not, the card springs back. */
  drop(card: string, x: number, y: number): boolean
  cancel(): void
}

const SLACK = 9

interface Grip {
  card: string
  elements: HTMLElement[]
  x: number
  y: number
  pointer: number
  on: boolean
}

export class Drag {
  private grip: Grip | null = null
  private swallowing = false

  constructor(private readonly handler: Dragging) {}

  /** Grab *card*; *elements* are what moves, the card's own first. */
  grab(event: PointerEvent, card: string, elements: HTMLElement[]): void {
    if (event.button || this.grip) return
    this.grip = { card, elements, x: event.clientX, y: event.clientY, pointer: event.pointerId, on: false }
  }

  /** Whether the click that follows a drag is to be ignored. */
  get swallows(): boolean {
    return this.swallowing
  }

  move(event: PointerEvent): void {
    const grip = this.grip
    if (!grip || event.pointerId !== grip.pointer) return
    const dx = event.clientX - grip.x
    const dy = event.clientY - grip.y
    if (!grip.on && Math.hypot(dx, dy) > SLACK) {
      grip.on = true
      grip.elements[0]!.setPointerCapture?.(event.pointerId)
      this.handler.start(grip.card)
    }
    if (!grip.on) return
    grip.elements.forEach((element, i) => {
      element.dataset.drag = '1'
      element.style.translate = `${dx + i * 14}px ${dy}px`
      element.style.zIndex = String(70 + i)
      element.style.scale = '1.06'
      element.style.rotate = `${Math.max(-12, Math.min(12, dx / 14)) + i * 4}deg`
    })
    this.handler.move(event.clientX, event.clientY)
  }

  up(event: PointerEvent): void {
    const grip = this.grip
    if (!grip || event.pointerId !== grip.pointer) return
    this.grip = null
    if (!grip.on) return
    this.swallowing = true
    setTimeout(() => (this.swallowing = false), 60)
    const taken = event.type === 'pointerup' && this.handler.drop(grip.card, event.clientX, event.clientY)
    if (!taken) {
      this.handler.cancel()
      grip.elements.forEach(springBack)
    }
  }
}

/** Let a card that was dragged return to its place. */
export function springBack(element: HTMLElement): void {
  const { translate, scale } = element.style
  if (element.dataset.drag === undefined) return
  element.animate([{ translate, scale }, { translate: '0 0', scale: '1' }], { duration: 300, easing: 'cubic-bezier(.2,1.3,.4,1)' })
  element.style.translate = ''
  element.style.scale = ''
  element.style.zIndex = ''
  element.style.rotate = element.style.getPropertyValue('--turn')
  delete element.dataset.drag
}

/** The place of the felt under a point of the screen. */
export function placeUnder(x: number, y: number): string | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const place = element.closest<HTMLElement>('[data-place]')?.dataset.place
    if (place) return place
  }
  return null
}
