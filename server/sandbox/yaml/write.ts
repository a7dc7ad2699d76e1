import { Document, Scalar, visit } from 'yaml'
import { type Json } from '../objects/types.ts'
import { plainScalar } from './scalars.ts'

/** As YAML that readers of the version 1.1 read back as the same. */
export function yamlText(value: Json): string {
  const document = new Document(value, {
    version: '1.1',
    sortMapEntries: true,
    aliasDuplicateObjects: false,
  })
  visit(document, {
    Scalar(_key, node) {
      // Words that mean something else to some reader are quoted.
      if (typeof node.value === 'string' && plainScalar(node.value) !== node.value)
        node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString({ lineWidth: 0 })
}
