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

/** Returns options with the console's colours, as computed for the element. */
export function terminalOptions(host: HTMLElement): ITerminalOptions {
  const probe = document.createElement('span')
  // With reduced motion every colour change is a very short transition, which would be read before
  // its end.
  probe.style.transitionProperty = 'none'
  host.append(probe)
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
 * Returns a document for the terminal that satisfies the page's CSP. The terminal creates style
 * sheets, which need the nonce, and style attributes, which must be set through the object model.
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

/** Opens the terminal. Its viewport uses the page's own document once, while it opens. */
export function openStrictly(terminal: Terminal, strict: Document, host: HTMLElement) {
  Object.defineProperty(document, 'createElement', {
    configurable: true,
    value: strict.createElement,
  })
  try {
    terminal.open(host)
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
