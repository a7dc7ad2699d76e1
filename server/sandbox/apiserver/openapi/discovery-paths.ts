import { type JsonMap } from '../../objects/types.ts'
import { issuerPaths, keySetType } from '../authentication/issuer-discovery.ts'
import { discoverySchemas, versionName } from './discovery-schemas.ts'
import { type DocumentPart, type Dialect } from './dialects.ts'
import { sharedName } from './shared.ts'

/** The response at a discovery path: a named schema or a content type. */
type DiscoveryResponse = { schema: string } | { type: string }

const single: Readonly<Record<string, DiscoveryResponse>> = {
  api: { schema: sharedName('APIVersions') },
  apis: { schema: sharedName('APIGroupList') },
  version: { schema: versionName },
  [issuerPaths.configuration]: { type: 'application/json' },
  [issuerPaths.keys]: { type: keySetType },
}

/** Paths with a document of their own, in addition to those of the groups. */
export const singlePaths: readonly string[] = Object.keys(single)

const isGroup = (path: string): boolean => /^apis\/[^/]+$/.test(path)

const responseAt = (path: string): DiscoveryResponse =>
  single[path] ?? { schema: sharedName(isGroup(path) ? 'APIGroup' : 'APIResourceList') }

/** Describes the discovery response at `api`, `apis/apps`, `apis/apps/v1` … */
export function describeDiscovery(path: string, dialect: Dialect): DocumentPart {
  const response = responseAt(path)
  const answer =
    'schema' in response
      ? dialect.answer(response.schema)
      : dialect.plain([response.type], { type: 'string' })
  const get = {
    tags: [path.replace(/^(apis?)\//, '').replaceAll(/[./]/g, '_')],
    description: `Discovery at /${path}.`,
    operationId: `discover_${path.replaceAll(/\W/g, '_')}`,
    responses: { '200': answer, '401': { description: 'Unauthorized' } },
  }
  return {
    paths: { [`/${path}/`]: { get } },
    schemas: 'schema' in response ? neededFor(response.schema, dialect.prefix) : {},
  }
}

/** Returns the schema and the schemas that it refers to. */
function neededFor(name: string, prefix: string): JsonMap {
  const all = discoverySchemas(prefix)
  const needed: JsonMap = {}
  for (const [each, schema] of Object.entries(all)) {
    if (each === name || JSON.stringify(needed).includes(`"${prefix}${each}"`))
      needed[each] = schema
  }
  return needed
}
