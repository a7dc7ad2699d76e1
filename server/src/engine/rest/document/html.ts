/** Markup that is already escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | readonly Html[] | null

/** Builds markup from a template and escapes each value that is not markup. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(
    parts.reduce((text, part, index) => `${text}${markupOf(values[index - 1] ?? null)}${part}`),
  )
}

/** Renders a sentence of the contract. Text in backticks becomes code. */
export const prose = (text: string): Html =>
  new Html(
    text
      .split('`')
      .map((part, index) => (index % 2 ? `<code>${escaped(part)}</code>` : escaped(part)))
      .join(''),
  )

function markupOf(value: Value): string {
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
