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
    const type = CST.tokenType(token)
    if (type === 'newline') inLine = 0
    if (type === 'seq-item-ind' || type === 'explicit-key-ind') inLine += 1
    if (type === 'flow-seq-start' || type === 'flow-map-start') inBrackets += 1
    if (type === 'flow-seq-end' || type === 'flow-map-end') inBrackets -= 1
    if (type !== null && counted.has(type)) parts += 1
    if (inBrackets + inLine > mostLevels)
      throw new CloudConfigRefused(messageOf('cloud_config.too_deep', { most: mostLevels }))
    if (parts > mostParts)
      throw new CloudConfigRefused(messageOf('cloud_config.too_many', { most: mostParts }))
  }
}

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
  'explicit-key-ind',
  'seq-item-ind',
  'flow-map-start',
  'flow-seq-start',
])
