import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningSandbox, startSandboxProcess } from '../support/sandbox.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Case, pathsOf, recordedCases, replay } from './sandbox-replay.ts'
import known from './sandbox-replay-known.json' with { type: 'json' }

/*
 * What a real kube-apiserver answered, put to the sandbox. Only cases whose resources are served take part: a new row in the registry brings
 * its cases in. What differs stands in sandbox-replay-known.json with the reason, and that list may only shrink.
 */
const cases = recordedCases()
let sandbox: RunningSandbox
let served: Set<string>

beforeAll(async () => {
  sandbox = await startSandboxProcess()
  served = await servedResources()
})

afterAll(() => sandbox.stop())

async function servedResources(): Promise<Set<string>> {
  const groups = JSON.parse((await sandbox.call('/apis')).text) as { groups: { versions: { groupVersion: string }[] }[] }
  const paths = ['/api/v1', ...groups.groups.flatMap((group) => group.versions.map((each) => `/apis/${each.groupVersion}`))]
  const lists = await Promise.all(paths.map(async (path) => ({ path, text: (await sandbox.call(path)).text })))
  return new Set(
    lists.flatMap(({ path, text }) => {
      const { resources } = JSON.parse(text) as { resources: { name: string }[] }
      return resources.map(({ name }) => `${path}/${name}`)
    }),
  )
}

/** Paths of the resource API name a served resource; other paths are discovery's, of groups that are served. */
function isServed(path: string): boolean {
  const [pure = ''] = path.split('?')
  const match =
    /^(\/api\/v1|\/apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+(?=\/(?!status|finalize)))?\/([^/]+)(?:\/[^/]+(?:\/([^/]+))?)?$/.exec(pure)
  if (!match) return !/^\/apis?\/.+/.test(pure) || served.has(`${pure}/`) || /nosuch/.test(pure)
  const [, group, resource, subresource] = match
  return served.has(`${group}/${resource}${subresource === undefined ? '' : `/${subresource}`}`)
}

async function freshNamespaces(): Promise<void> {
  for (const name of ['ns1', 'ns2']) {
    await freeObjects(`/api/v1/namespaces/${name}/configmaps`)
    await freeObjects(`/apis/k8s.cni.cncf.io/v1/namespaces/${name}/network-attachment-definitions`)
    await sandbox.call(`/api/v1/namespaces/${name}`, { method: 'DELETE' })
    await waitFor(async () => (await sandbox.call(`/api/v1/namespaces/${name}`)).status === 404)
  }
}

async function freeObjects(path: string): Promise<void> {
  const headers = { 'Content-Type': 'application/merge-patch+json' }
  const held = (await sandbox.call(path)).body.items.filter((item) => item.metadata.finalizers)
  for (const item of held) {
    await sandbox.call(`${path}/${item.metadata.name}`, { method: 'PATCH', headers, body: { metadata: { finalizers: null } } })
  }
}

async function differences(each: Case): Promise<string[]> {
  await freshNamespaces()
  return replay(sandbox, each).catch((error: unknown) => [String(error)])
}

test.skipIf(cases === null)(
  cases === null ? 'skipped: the recordings are not beside this checkout' : 'the sandbox answers as the recorded cluster did',
  async ({ annotate }) => {
    const applicable = (cases ?? []).filter((each) => pathsOf(each).every(isServed))
    const failed: Record<string, string[]> = {}
    for (const each of applicable) {
      const found = await differences(each)
      if (found.length > 0) failed[each.id] = found.slice(0, 3).map((line) => line.slice(0, 300))
    }
    const unexpected = Object.fromEntries(Object.entries(failed).filter(([id]) => !(id in known)))
    const healed = Object.keys(known).filter((id) => !(id in failed))
    await annotate(`${applicable.length - Object.keys(failed).length} of ${applicable.length} applicable cases are the same`)
    expect(unexpected).toEqual({})
    expect(healed, 'cases that are right now and must leave the list').toEqual([])
  },
  240_000,
)
