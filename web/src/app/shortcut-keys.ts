const isApple = /Mac|iP(hone|ad|od)/.test(navigator.userAgent)

/** The label of the modifier key for shortcuts. */
export const commandKey = isApple ? '⌘' : 'Ctrl'

/** Returns the overlay that the keys open. An open VM console handles its keys itself. */
export function shortcutOf(event: KeyboardEvent): 'palette' | 'shortcuts' | null {
  const isCommand = isApple ? event.metaKey : event.ctrlKey
  if (!isCommand || event.altKey || event.shiftKey || event.defaultPrevented) return null
  if (event.key.toLowerCase() === 'k') return 'palette'
  return event.key === '/' ? 'shortcuts' : null
}

/** True when the key types text or would act on the page. False for shortcuts and Tab. */
export const isTyped = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && key !== 'Tab'

/** Returns the text after the key was typed. */
export const typedBy = ({ key }: KeyboardEvent, text: string): string =>
  key === 'Backspace' ? text.slice(0, -1) : key.length === 1 ? text + key : text
