declare module '*.json?part=first' {
  const messages: Record<string, string | Record<string, string>>
  export default messages
}
declare module '*.json?part=home' {
  const messages: Record<string, string | Record<string, string>>
  export default messages
}
