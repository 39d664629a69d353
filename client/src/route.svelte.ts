// The page's address: `/` is home, `/t/ID` a table.

let path = $state(location.pathname)
addEventListener('popstate', () => (path = location.pathname))

/** The page's address. */
export const address = (): string => path

/** The table that the address names, if it names one. */
export function tableInAddress(): string | null {
  return /^\/t\/([\w-]+)\/?$/.exec(path)?.[1] ?? null
}

/** Go to another page of this client. */
export function go(to: string): void {
  history.pushState(null, '', to)
  path = location.pathname
}

/** Follow a link without loading the page anew, unless the reader wants another window. */
export function follow(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return
  event.preventDefault()
  go((event.currentTarget as HTMLAnchorElement).pathname)
}
