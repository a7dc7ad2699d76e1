import { type JsonMap } from '../../objects/types.ts'
import { issuerPaths, keySetType } from '../authentication/issuer-discovery.ts'
import { discoverySchemas, versionName } from './discovery-schemas.ts'
import { type Described, type Dialect } from './dialects.ts'
import { sharedName } from './shared.ts'

/** What answers at a path of discovery: a schema, or the type of its content. */
type Told = { schema: string } | { type: string }

const single: Readonly<Record<string, Told>> = {
  api: { schema: sharedName('APIVersions') },
  apis: { schema: sharedName('APIGroupList') },
  version: { schema: versionName },
  [issuerPaths.configuration]: { type: 'application/json' },
  [issuerPaths.keys]: { type: keySetType },
}

/** The documents that stand for one path each, beside those of groups. */
export const singlePaths: readonly string[] = Object.keys(single)

const isGroup = (path: string): boolean => /^apis\/[^/]+$/.test(path)

const toldAt = (path: string): Told =>
  single[path] ?? { schema: sharedName(isGroup(path) ? 'APIGroup' : 'APIResourceList') }

/** What discovery tells at `api`, `apis/apps`, `apis/apps/v1` … */
export function describedDiscovery(path: string, dialect: Dialect): Described {
  const told = toldAt(path)
  const answer =
    'schema' in told ? dialect.answer(told.schema) : dialect.plain([told.type], { type: 'string' })
  const get = {
    tags: [path.replace(/^(apis?)\//, '').replaceAll(/[./]/g, '_')],
    description: `Tells what is at /${path}.`,
    operationId: `discover_${path.replaceAll(/\W/g, '_')}`,
    responses: { '200': answer, '401': { description: 'Unauthorized' } },
  }
  return {
    paths: { [`/${path}/`]: { get } },
    schemas: 'schema' in told ? neededFor(told.schema, dialect.prefix) : {},
  }
}

/** The schema, and those that it refers to. */
function neededFor(name: string, prefix: string): JsonMap {
  const all = discoverySchemas(prefix)
  const needed: JsonMap = {}
  for (const [each, schema] of Object.entries(all)) {
    if (each === name || JSON.stringify(needed).includes(`"${prefix}${each}"`))
      needed[each] = schema
  }
  return needed
}
