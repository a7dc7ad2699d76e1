import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { registry } from '../../kinds/registry.ts'
import { type Resource, type Schema, resourceName } from '../../objects/resource.ts'

/*
 * The schemas of the sandbox's custom kinds beside those of the real CRDs, field by field. What is
 * coarser on purpose is named with its reason.
 */
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

/** Every node of a schema by its path, as one line that says all that is compared. */
function linesOf(
  schema: Schema | CrdSchema,
  path = '',
  lines = new Map<string, string>(),
): Map<string, string> {
  const { properties, additionalProperties, items, ...said } = schema
  lines.set(path, JSON.stringify(Object.entries(comparable(said)).toSorted()))
  for (const [key, child] of Object.entries(properties ?? {}))
    linesOf(child, `${path}.${key}`, lines)
  if (additionalProperties) linesOf(additionalProperties, `${path}.*`, lines)
  if (items) linesOf(items, `${path}[]`, lines)
  return lines
}

type Said = Pick<Schema, 'required' | 'rules'> & Pick<CrdSchema, 'x-kubernetes-validations'>

function comparable({
  required,
  rules,
  'x-kubernetes-validations': validations,
  ...rest
}: Said): Record<string, unknown> {
  const messages = (rules ?? validations)?.map(({ message }) => message)
  const kept = Object.entries(rest).filter(([key]) => key !== 'anyOf')
  return {
    ...Object.fromEntries(kept),
    ...(required ? { required: [...required].toSorted() } : {}),
    ...(messages ? { messages } : {}),
  }
}

/** The API server adds these three to every kind itself. */
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
  const ours = linesOf(withoutFrame(resource.schema))
  const theirs = linesOf(withoutFrame(real))
  const paths = new Set([...ours.keys(), ...theirs.keys()])
  return [...paths]
    .filter((path) => ours.get(path) !== theirs.get(path))
    .map(
      (path) => `${path}: ours ${ours.get(path) ?? 'absent'}, real ${theirs.get(path) ?? 'absent'}`,
    )
}

const named = hasCrds ? readdirSync(folder).map((file) => file.replace(/\.json$/, '')) : []

test.skipIf(!hasCrds)(
  hasCrds
    ? 'every custom kind with a known CRD declares exactly the fields of that CRD'
    : 'skipped: the CRDs are not beside this checkout',
  () => {
    const found = named.map((name) => [name, differences(registry.named(name))] as const)
    expect(Object.fromEntries(found.filter(([, each]) => each.length > 0))).toEqual({})
  },
)
