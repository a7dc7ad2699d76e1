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

/**
 * Whether the key writes, or would do something to what stands on the page; not where it is a
 * command.
 */
export const isTyped = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && key !== 'Tab'

/** The text with what the key does to it. */
export const typedBy = ({ key }: KeyboardEvent, text: string): string =>
  key === 'Backspace' ? text.slice(0, -1) : key.length === 1 ? text + key : text
