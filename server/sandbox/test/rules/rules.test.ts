import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'
import { registry } from '../../kinds/registry.ts'
import { type JsonMap } from '../../objects/types.ts'
import { type Resource, apiVersionOf } from '../../objects/resource.ts'

/*
 * The validation of built-in kinds. Each line of rules.jsonl is an object with one unusual field,
 * and the causes for which a real API server of version 1.36.3 refused it. An empty list means that
 * it was accepted. Long causes are cut.
 */
interface Row {
  kind: string
  field: string
  object: JsonMap
  causes: string[]
}

const rows = readFileSync(new URL('rules.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row)
const rowsByKind = Map.groupBy(rows, ({ kind }) => kind)

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 1000 })
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'gen' } }
  await sandbox.call('/api/v1/namespaces', { method: 'POST', body: namespace })
})
afterAll(() => sandbox.stop())

const resourceOf = (kind: string): Resource => {
  const resource = registry.all.find((each) => each.kind === kind && !each.custom)
  if (!resource) throw new TypeError(`the registry has no built-in kind ${kind}`)
  return resource
}

function pathOf(resource: Resource): string {
  const { group, namespaced, plural } = resource
  const root = `/${group === '' ? 'api' : 'apis'}/${apiVersionOf(resource)}`
  return `${root}${namespaced ? '/namespaces/gen' : ''}/${plural}`
}

/** Creates the object and returns the causes of its refusal, cut to the recorded length. */
async function causesOf({ kind, object }: Row, index: number): Promise<string[]> {
  const resource = resourceOf(kind)
  const body = {
    apiVersion: apiVersionOf(resource),
    kind,
    ...object,
    metadata: { name: `rule-${index}`, ...(object.metadata as JsonMap | undefined) },
  }
  const answer = await sandbox.call(pathOf(resource), { method: 'POST', body })
  if (answer.status === 201) return []
  return (answer.body.details?.causes ?? []).map(({ field, message }) =>
    `${field}: ${message}`.slice(0, 110),
  )
}

test.each([...rowsByKind])('a new %s is refused by the rules of its kind', async (_kind, list) => {
  for (const [index, row] of list.entries()) {
    const why = `${row.field} in ${JSON.stringify(row.object)}`
    expect(await causesOf(row, index), why).toEqual(row.causes)
  }
})
