import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { lexicographicSortSchema, printSchema } from 'graphql'
import { berthRestDocument } from '../compose/rest-document.ts'
import { buildBerthSchema } from '../compose/schema.ts'
import { withComponents } from '../engine/rest/document/components.ts'

const { values } = parseArgs({
  options: { out: { type: 'string', default: join(import.meta.dirname, '..', '..', 'schema') } },
})

/**
 * Writes the API contract to files. They match the server, because both come from the same objects.
 */
const schema = buildBerthSchema()
mkdirSync(values.out, { recursive: true })
writeFileSync(
  join(values.out, 'schema.graphql'),
  `${printSchema(lexicographicSortSchema(schema))}\n`,
)
writeFileSync(
  join(values.out, 'rest.openapi.json'),
  `${JSON.stringify(withComponents(berthRestDocument(schema)), null, 2)}\n`,
)
