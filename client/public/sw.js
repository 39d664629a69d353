// For notifications alone: phones show them through a worker. It fetches nothing and keeps nothing.
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const address = `/t/${event.notification.tag}`
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((windows) => {
      const open = windows.find((each) => new URL(each.url).pathname === address)
      return open ? open.focus() : self.clients.openWindow(address)
    }),
  )
})
