/** Text that is markup already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Shown = string | number | Html | readonly Html[] | null

/** Markup with values in it, each of which is shown as it is written. */
export function html(parts: TemplateStringsArray, ...values: readonly Shown[]): Html {
  return new Html(
    parts.reduce((text, part, index) => `${text}${markupOf(values[index - 1] ?? null)}${part}`),
  )
}

/** A sentence of the contract, with what stands in backticks as code. */
export const prose = (text: string): Html =>
  new Html(
    text
      .split('`')
      .map((part, index) => (index % 2 ? `<code>${escaped(part)}</code>` : escaped(part)))
      .join(''),
  )

function markupOf(value: Shown): string {
  if (value instanceof Html) return value.text
  if (value === null) return ''
  return typeof value === 'object' ? value.map(({ text }) => text).join('') : escaped(String(value))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
