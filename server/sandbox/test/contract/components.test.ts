import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KubeClient, kubeClientOf } from '../../../../test/support/sandbox/sandbox.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { type ComponentName } from '../../components.ts'
import { type Sandbox, startSandbox } from '../../start.ts'

/* Two sandboxes in one process with different components. */
interface Started {
  sandbox: Sandbox
  folder: string
  client: KubeClient
}

let plain: Started
let withKubeOvn: Started

beforeAll(async () => {
  plain = await start(['nmstate'])
  withKubeOvn = await start(['kube-ovn'])
})
afterAll(async () => {
  for (const { sandbox, folder, client } of [plain, withKubeOvn]) {
    client.close()
    await sandbox.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

async function start(components: readonly ComponentName[]): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-sandbox-'))
  const sandbox = await startSandbox({ folder, port: 0, pace: 0.1, components })
  return { sandbox, folder, client: await kubeClientOf(sandbox.kubeconfig) }
}

const vpcs = '/apis/kubeovn.io/v1/vpcs'
const nodeStates = '/apis/nmstate.io/v1beta1/nodenetworkstates'

async function groupsOf({ client }: Started): Promise<string[]> {
  const { text } = await client.call('/apis')
  // The fields of an APIGroupList that this test reads.
  const { groups } = JSON.parse(text) as { groups: { name: string }[] }
  return groups.map(({ name }) => name)
}

describe('sandboxes in one process', () => {
  test('each sandbox serves the kinds of its own components', async () => {
    expect((await withKubeOvn.client.call(vpcs)).status).toBe(200)
    expect((await plain.client.call(vpcs)).status).toBe(404)
    expect((await plain.client.call(nodeStates)).status).toBe(200)
    expect((await withKubeOvn.client.call(nodeStates)).status).toBe(404)
  })

  test('each sandbox lists the groups of its own components in discovery', async () => {
    expect(await groupsOf(withKubeOvn)).toContain('kubeovn.io')
    expect(await groupsOf(withKubeOvn)).not.toContain('nmstate.io')
    expect(await groupsOf(plain)).toContain('nmstate.io')
    expect(await groupsOf(plain)).not.toContain('kubeovn.io')
  })

  test('each sandbox describes the kinds of its own components in OpenAPI', async () => {
    const path = '/openapi/v3/apis/kubeovn.io/v1'
    expect((await withKubeOvn.client.call(path)).status).toBe(200)
    expect((await plain.client.call(path)).status).toBe(404)
  })

  test('each sandbox runs the controllers of its own components', async () => {
    expect((await plain.client.call(nodeStates)).body.items.length).toBeGreaterThan(0)
    const body = {
      apiVersion: 'kubeovn.io/v1',
      kind: 'Vpc',
      metadata: { name: 'lab' },
      spec: { namespaces: [] },
    }
    const created = await withKubeOvn.client.call(vpcs, { method: 'POST', body })
    expect(created.status).toBe(201)
    const isReady = async (): Promise<boolean> =>
      (await withKubeOvn.client.call(`${vpcs}/lab`)).body.status !== undefined
    await waitFor(isReady, { what: 'a status of the VPC' })
  })
})
