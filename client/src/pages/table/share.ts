// A link goes to others by whatever the device shares with, or onto the clipboard.
import { t } from '../../i18n.svelte'

/** The address that leads to table *id*. */
export const linkOf = (id: string): string => `${location.origin}/t/${id}`

/** Copy *text*; false when the browser does not let the page. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Without a secure connection, or without leave, the old way is left.
    const field = Object.assign(document.createElement('textarea'), { value: text })
    field.style.position = 'fixed'
    ;(document.querySelector('dialog[open]') ?? document.body).append(field)
    field.select()
    const done = document.execCommand('copy')
    field.remove()
    return done
  }
}

/** Offer the link of table *id* to others; tell whether it was copied. */
export async function share(id: string): Promise<boolean> {
  const link = linkOf(id)
  if (!('share' in navigator)) return copy(link)
  try {
    await navigator.share({ title: t('app.title'), text: t('sheet.invite'), url: link })
    return false
  } catch (error) {
    // Whoever puts the device's own sheet away has changed their mind.
    return error instanceof DOMException && error.name === 'AbortError' ? false : copy(link)
  }
}
