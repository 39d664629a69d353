// The page's address: `/` is home, `/t/ID` a table. Whoever goes back finds the page scrolled as it was left.

let path = $state(location.pathname)
/** Whether the reader came here from another page of this client, not by loading it. */
let came = false
let written: ReturnType<typeof setTimeout> | undefined

const SETTLE_MS = 1500

// The browser itself scrolls back before a page that is fetched has its height.
history.scrollRestoration = 'manual'
addEventListener('scroll', () => {
  clearTimeout(written)
  written = setTimeout(remember, 150)
})
addEventListener('pagehide', remember)
addEventListener('popstate', () => {
  clearTimeout(written)
  came = location.pathname !== path
  if (!came && history.state) scrollBack(performance.now())
  path = location.pathname
})

/** The page's address. */
export const address = (): string => path

/** Go to another page of this client. */
export function go(to: string): void {
  clearTimeout(written)
  remember()
  history.pushState(null, '', to)
  came = location.pathname !== path
  path = location.pathname
  scrollTo(0, 0)
}

/** Follow a link without loading the page anew, unless the reader wants another window. */
export function follow(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return
  event.preventDefault()
  const { pathname, search, hash } = event.currentTarget as HTMLAnchorElement
  go(pathname + search + hash)
}

/** Tell a screen reader that another page is here, by its heading, and scroll to where the reader was; once a page is on the screen. */
export function arrive(page: HTMLElement): void {
  const heading = page.querySelector('h1')
  if (came && heading) {
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
  came = false
  if (history.state) scrollBack(performance.now())
  else if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView()
}

function remember(): void {
  history.replaceState({ y: Math.round(scrollY) }, '')
}

function scrollBack(since: number): void {
  const y = (history.state as { y?: number } | null)?.y ?? 0
  scrollTo(0, y)
  if (Math.abs(scrollY - y) > 2 && performance.now() - since < SETTLE_MS) requestAnimationFrame(() => scrollBack(since))
}
