import { CST, Lexer } from 'yaml'
import { messageOf } from '../../engine/model/message.ts'
import { CloudConfigRefused } from './cloud-config-refused.ts'

/** Keys, values and separators. A few settings for each of a hundred files are far below this. */
const mostParts = 6_000
const mostLevels = 32

/**
 * Refuses a text that is expensive to parse. The lexer is linear and does not recurse, while the
 * parser recurses into each level.
 */
export function mustBeBounded(text: string): void {
  let parts = 0
  let inBrackets = 0
  let inLine = 0
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token) ?? ''
    inBrackets += (opening.has(type) ? 1 : 0) - (closing.has(type) ? 1 : 0)
    inLine = type === 'newline' ? 0 : inLine + (nesting.has(type) ? 1 : 0)
    parts += counted.has(type) ? 1 : 0
    if (inBrackets + inLine > mostLevels)
      throw new CloudConfigRefused(messageOf('cloud_config.too_deep', { most: mostLevels }))
    if (parts > mostParts)
      throw new CloudConfigRefused(messageOf('cloud_config.too_many', { most: mostParts }))
  }
}

const opening: ReadonlySet<string> = new Set(['flow-map-start', 'flow-seq-start'])
const closing: ReadonlySet<string> = new Set(['flow-map-end', 'flow-seq-end'])
/** Each of these begins a level inside of its line. */
const nesting: ReadonlySet<string> = new Set(['seq-item-ind', 'explicit-key-ind'])
const counted: ReadonlySet<string> = new Set([
  'scalar',
  'single-quoted-scalar',
  'double-quoted-scalar',
  'block-scalar-header',
  'alias',
  'anchor',
  'tag',
  'comma',
  'map-value-ind',
  ...nesting,
  ...opening,
])
