declare module '*.json?part=first' {
  const messages: Record<string, string | Record<string, string>>
  export default messages
}
