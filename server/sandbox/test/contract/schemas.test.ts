import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { registry } from '../../kinds/registry.ts'
import { type Resource, type Schema, resourceName } from '../../objects/resource.ts'

/* Compares the schemas of custom kinds with the real CRDs, field by field. */
const folder = fileURLToPath(new URL('../../../../../shared/data/crds', import.meta.url))
const hasCrds = existsSync(folder)

type CrdSchema = Omit<Schema, 'properties' | 'additionalProperties' | 'items' | 'rules'> & {
  properties?: Record<string, CrdSchema>
  additionalProperties?: CrdSchema
  items?: CrdSchema
  'x-kubernetes-validations'?: { message: string }[]
}

interface Crd {
  spec: { versions: { name: string; schema: { openAPIV3Schema: CrdSchema } }[] }
}

/** Returns every node of a schema by path, as one line with the compared properties. */
function linesOf(
  schema: Schema | CrdSchema,
  path = '',
  lines = new Map<string, string>(),
): Map<string, string> {
  const { properties, additionalProperties, items, ...own } = schema
  lines.set(path, JSON.stringify(Object.entries(comparable(own)).toSorted()))
  for (const [key, child] of Object.entries(properties ?? {}))
    linesOf(child, `${path}.${key}`, lines)
  if (additionalProperties) linesOf(additionalProperties, `${path}.*`, lines)
  if (items) linesOf(items, `${path}[]`, lines)
  return lines
}

type ComparableSchema = Pick<Schema, 'required' | 'rules'> &
  Pick<CrdSchema, 'x-kubernetes-validations'>

function comparable({
  required,
  rules,
  'x-kubernetes-validations': validations,
  ...rest
}: ComparableSchema): Record<string, unknown> {
  const messages = (rules ?? validations)?.map(({ message }) => message)
  const remaining = Object.entries(rest).filter(([key]) => key !== 'anyOf')
  return {
    ...Object.fromEntries(remaining),
    ...(required ? { required: [...required].toSorted() } : {}),
    ...(messages ? { messages } : {}),
  }
}

/** The API server adds these three fields to every kind. */
function withoutFrame(schema: Schema | CrdSchema): Schema | CrdSchema {
  const {
    apiVersion: _version,
    kind: _kind,
    metadata: _metadata,
    ...properties
  } = schema.properties ?? {}
  return { ...schema, properties }
}

function differences(resource: Resource): string[] {
  const crd = JSON.parse(readFileSync(`${folder}/${resourceName(resource)}.json`, 'utf8')) as Crd
  const real =
    crd.spec.versions.find(({ name }) => name === resource.version)?.schema.openAPIV3Schema ?? {}
  const sandboxLines = linesOf(withoutFrame(resource.schema))
  const crdLines = linesOf(withoutFrame(real))
  const paths = new Set([...sandboxLines.keys(), ...crdLines.keys()])
  return [...paths]
    .filter((path) => sandboxLines.get(path) !== crdLines.get(path))
    .map(
      (path) =>
        `${path}: sandbox ${sandboxLines.get(path) ?? 'absent'}, CRD ${crdLines.get(path) ?? 'absent'}`,
    )
}

const named = hasCrds ? readdirSync(folder).map((file) => file.replace(/\.json$/, '')) : []

test.skipIf(!hasCrds)(
  hasCrds
    ? 'every custom kind with a known CRD declares exactly the fields of that CRD'
    : 'the comparison is skipped: the CRDs are not next to this checkout',
  () => {
    const found = named.map((name) => [name, differences(registry.named(name))] as const)
    expect(Object.fromEntries(found.filter(([, each]) => each.length > 0))).toEqual({})
  },
)
