import { Document, Scalar, visit } from 'yaml'
import { type Json } from '../objects/types.ts'
import { plainScalar } from './scalars.ts'

/** Formats a value as YAML that a YAML 1.1 reader reads back unchanged. */
export function yamlText(value: Json): string {
  const document = new Document(value, {
    version: '1.1',
    sortMapEntries: true,
    aliasDuplicateObjects: false,
  })
  visit(document, {
    Scalar(_key, node) {
      // A string that a reader would take for another type is quoted.
      if (typeof node.value === 'string' && plainScalar(node.value) !== node.value)
        node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString({ lineWidth: 0 })
}
