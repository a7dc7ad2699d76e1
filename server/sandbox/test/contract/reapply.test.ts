import { fc } from '../../../../test/support/property-testing.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type KubeAnswer,
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'
import { sandboxFaults } from '../../../../test/support/sandbox/faults.ts'
import { registry } from '../../kinds/registry.ts'
import { isMap } from '../../objects/types.ts'
import { type Resource, type Schema, apiVersionOf } from '../../objects/resource.ts'
import { type Json, type JsonMap } from '../../objects/types.ts'
import { builtInObjects, withValue } from '../support/built-in-objects.ts'

/*
 * A write that changes nothing keeps the resourceVersion. The law was verified against a real API
 * server, with empty lists and maps, zero values, defaulted keys and equal quantities.
 */

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 1000 })
  await sandbox.call('/api/v1/namespaces', {
    method: 'POST',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'again' } },
  })
})
afterAll(() => sandbox.stop())

const kinds = registry.all.filter(({ custom, kind, schema }) => !custom && isClosed(schema) && kind)
function isClosed(schema: Schema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] !== true
}

const pathOf = (resource: Resource, name: string): string => {
  const { group, namespaced, plural } = resource
  const root = `/${group === '' ? 'api' : 'apis'}/${apiVersionOf(resource)}`
  return `${root}${namespaced ? '/namespaces/again' : ''}/${plural}/${name}`
}

const apply = (resource: Resource, object: JsonMap, manager = 'm'): Promise<KubeAnswer> =>
  sandbox.call(
    `${pathOf(resource, String((object.metadata as JsonMap)['name']))}?fieldManager=${manager}&force=true`,
    {
      method: 'PATCH',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: object,
    },
  )

const put = (resource: Resource, object: KubeAnswer['body']): Promise<KubeAnswer> =>
  sandbox.call(pathOf(resource, object.metadata.name), { method: 'PUT', body: object })

/** Managed fields have times in seconds. */
const passSeconds = (): Promise<unknown> =>
  sandboxFaults(sandbox).inject('clock/advance', { ms: 2_000 })

/** Paths in the object at which a client may write an empty or zero value, by the schema. */
function zeroPaths(schema: Schema, value: Json | undefined, path = ''): [string, Json][] {
  const items = schema.items
  if (Array.isArray(value) && items)
    return value.flatMap((item, index) => zeroPaths(items, item, `${path}.${index}`))
  if (!isMap(value) && path !== '') return []
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([key]) => path !== '' || key !== 'metadata',
  )
  return fields.flatMap(([key, field]) => {
    const at = path === '' ? key : `${path}.${key}`
    const child = isMap(value) ? value[key] : undefined
    const zero = zeroOf(field)
    return [
      ...(child === undefined && zero !== undefined ? [[at, zero] as [string, Json]] : []),
      ...zeroPaths(field, child ?? undefined, at),
    ]
  })
}

function zeroOf({ type, additionalProperties }: Schema): Json | undefined {
  if (type === 'array') return []
  if (additionalProperties) return {}
  const zeros = { string: '', integer: 0, boolean: false, number: 0, object: undefined }
  return type === undefined ? undefined : zeros[type]
}

/** The only kind whose generation counts an empty list in each write. */
const isRenewed = (resource: Resource, object: JsonMap): boolean =>
  resource.countsEmpty === true &&
  /\[\]|"matchLabels":\{\}/.test(JSON.stringify(object.spec).replaceAll('"policyTypes":[]', ''))

let count = 0
let accepted = 0

async function mustNotChange(resource: Resource, body: JsonMap): Promise<boolean> {
  count += 1
  const object = {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    ...body,
    metadata: { name: `again-${count}`, labels: {}, annotations: {} },
  }
  const first = await apply(resource, object)
  if (first.status !== 201) return false
  await passSeconds()
  const second = await apply(resource, object)
  expect(second.status, second.text).toBe(200)
  const version = first.body.metadata.resourceVersion
  const why = JSON.stringify(object)
  if (isRenewed(resource, object)) {
    expect(second.body.metadata.resourceVersion, why).not.toBe(version)
    return true
  }
  expect(second.body.metadata.resourceVersion, why).toBe(version)
  const replaced = await put(resource, second.body)
  expect(replaced.body.metadata.resourceVersion, `${replaced.text} ${why}`).toBe(version)
  const other = await apply(resource, object, 'n')
  await passSeconds()
  const again = await apply(resource, object, 'n')
  expect(again.body.metadata.resourceVersion, why).toBe(other.body.metadata.resourceVersion)
  return true
}

const covered = kinds.filter(({ kind }) => builtInObjects[kind])

test('every built-in kind with a schema is applied again, except those of the cluster itself', () => {
  const uncovered = kinds.filter((each) => !covered.includes(each)).map(({ kind }) => kind)
  expect(uncovered).toEqual(['PersistentVolume', 'Node', 'Event'])
})

test.each(covered)(
  'an applied $kind keeps its version when it is applied again',
  async (resource) => {
    const base = builtInObjects[resource.kind] ?? {}
    expect(await mustNotChange(resource, base)).toBe(true)
    const paths = zeroPaths(resource.schema, base).filter(([path]) => !path.startsWith('status'))
    if (paths.length === 0) return
    await fc.assert(
      fc.asyncProperty(fc.subarray(paths, { minLength: 1, maxLength: 2 }), async (chosen) => {
        const changed = chosen.reduce((all, [path, zero]) => withValue(all, path, zero), base)
        if (await mustNotChange(resource, changed)) accepted += 1
      }),
      { numRuns: 20, endOnFailure: true },
    )
  },
)

test('the API server accepts a quarter of the generated objects', () => {
  expect(accepted / count).toBeGreaterThan(0.25)
})
