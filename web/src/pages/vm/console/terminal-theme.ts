import type { ITerminalOptions, Terminal } from '@xterm/xterm'

const inks = {
  background: 'sunken',
  foreground: 'ink',
  cursor: 'accent',
  cursorAccent: 'sunken',
  black: 'edge',
  red: 'bad',
  green: 'good',
  yellow: 'warn',
  blue: 'info',
  magenta: 'accent',
  cyan: 'accent',
  white: 'soft',
  brightBlack: 'faint',
  brightRed: 'bad',
  brightGreen: 'good',
  brightYellow: 'warn',
  brightBlue: 'info',
  brightMagenta: 'accent',
  brightCyan: 'accent',
  brightWhite: 'ink',
} as const

/** A terminal in this console's colours, as they are at its place. */
export function terminalLook(place: HTMLElement): ITerminalOptions {
  const probe = document.createElement('span')
  // With reduced motion every change of a colour is a very short transition, and would be read
  // before its end.
  probe.style.transitionProperty = 'none'
  place.append(probe)
  const colour = (tone: string) => {
    probe.style.color = `var(--tone-${tone})`
    return getComputedStyle(probe).color
  }
  const theme = Object.fromEntries(Object.entries(inks).map(([name, tone]) => [name, colour(tone)]))
  const fontFamily = getComputedStyle(probe).getPropertyValue('--font-code')
  probe.remove()
  return { theme, fontFamily, fontSize: 13, lineHeight: 1.25 }
}

/**
 * The terminal writes style sheets and style attributes, which the page's policy forbids unless
 * they carry its nonce or come by way of the object model. So it is given a document that makes
 * both of them so.
 */
export function strictDocument(): Document {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
  return new Proxy(document, {
    get(target, key) {
      if (key === 'createElement')
        return (name: string) => tamed(Document.prototype.createElement.call(target, name), nonce)
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
  })
}

/** Its viewport asks the page's own document all the same, once, while it is opened. */
export function openStrictly(terminal: Terminal, strict: Document, place: HTMLElement) {
  Object.defineProperty(document, 'createElement', {
    configurable: true,
    value: strict.createElement,
  })
  try {
    terminal.open(place)
  } finally {
    Reflect.deleteProperty(document, 'createElement')
  }
}

function tamed(element: HTMLElement, nonce: string): HTMLElement {
  if (element instanceof HTMLStyleElement) element.nonce = nonce
  const set = element.setAttribute.bind(element)
  element.setAttribute = (name, value) => {
    if (name === 'style') element.style.cssText = value
    else set(name, value)
  }
  return element
}
