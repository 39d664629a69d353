// Calls a player whose turn it is: by sound, by the phone's trembling, and where nobody looks at the page by a notification.
import { play } from '../../felt/sounds'
import { t } from '../../i18n.svelte'
import { preferences } from '../../preferences.svelte'

const TREMBLE_MS = 60

let shown: Notification | null = null
let worker: ServiceWorkerRegistration | null = null

/** Call the player of table *id*; *words* say what there is to do. */
export function summon(id: string, words: string): void {
  play('turn')
  // A browser lets a page tremble only once it has been touched, and says so in its console.
  if (preferences.vibrate && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(TREMBLE_MS)
  if (document.hidden && preferences.notify && mayNotify()) void notify(id, words)
}

/** Whether the browser knows notifications and its owner has allowed them. */
export function mayNotify(): boolean {
  return 'Notification' in window && Notification.permission === 'granted'
}

/** Ask for leave to notify; to be called when the player has asked for it. */
export async function askToNotify(): Promise<boolean> {
  if (!('Notification' in window) || (await Notification.requestPermission()) !== 'granted') return false
  await navigator.serviceWorker?.register('/sw.js').catch(() => undefined)
  return true
}

async function notify(id: string, words: string): Promise<void> {
  const options: NotificationOptions = { body: words, tag: id, icon: '/kozyr.svg' }
  try {
    shown = new Notification(t('title.turn'), options)
    shown.onclick = () => {
      window.focus()
      dismiss()
    }
  } catch {
    // Phones notify through a service worker alone, where the page has one.
    worker = (await navigator.serviceWorker?.getRegistration()) ?? null
    await worker?.showNotification(t('title.turn'), options)
  }
}

/** Put the notification away: the player looks at the page. */
export function dismiss(): void {
  shown?.close()
  shown = null
  void worker?.getNotifications().then((all) => all.forEach((each) => each.close()))
}

/** Mark the page among the browser's tabs while it waits for the player. */
export function mark(waits: boolean): void {
  document.querySelector('link[rel="icon"]')?.setAttribute('href', waits ? '/kozyr-turn.svg' : '/kozyr.svg')
}
