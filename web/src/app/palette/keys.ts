const isApple = /Mac|iP(hone|ad|od)/.test(navigator.userAgent)

/** What stands on the key by which commands are given. */
export const commandKey = isApple ? '⌘' : 'Ctrl'

/** What the keys ask for, wherever the focus is; a console keeps its keys to itself. */
export function wishOf(event: KeyboardEvent): 'palette' | 'shortcuts' | null {
  const isCommand = isApple ? event.metaKey : event.ctrlKey
  if (!isCommand || event.altKey || event.shiftKey || event.defaultPrevented) return null
  if (event.key.toLowerCase() === 'k') return 'palette'
  return event.key === '/' ? 'shortcuts' : null
}
