import { beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { VmScenarios } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld } from '../../support/world/world.ts'

let world: World
let vms: VmScenarios
beforeAll(async () => {
  world = await aWorld()
  vms = await VmScenarios.in(world)
})

/**
 * Returns the number of calls to the cluster so far, by method and kind. Lists and watch streams
 * belong to no VM.
 */
async function calls(): Promise<Map<string, number>> {
  const { text } = await world.wire.send('GET', '/metrics')
  const lines = text.matchAll(/^berth_cluster_calls_total\{method="(\w+)",kind="(\w+)"\} (\d+)$/gm)
  return new Map([...lines].map(([, method, kind, count]) => [`${method} ${kind}`, Number(count)]))
}

async function callsFor(act: () => Promise<unknown>): Promise<string[]> {
  const before = await calls()
  await act()
  return [...(await calls())]
    .flatMap(([call, count]) => Array.from({ length: count - (before.get(call) ?? 0) }, () => call))
    .sort()
}

/** Waits until the tenants, VPCs and VMs that exist need no more calls. */
async function noCalls(): Promise<void> {
  const dueWork = 'select 1 from work where poisoned_at is null and due_at <= now()'
  let last = ''
  const isQuiet = async (): Promise<boolean> => {
    const before = last
    last = JSON.stringify([...(await calls())])
    return last === before && (await world.database.sql(dueWork)).length === 0
  }
  await waitFor(isQuiet, { timeoutMs: 30_000, everyMs: 500, what: 'the calls of the start to end' })
}

describe('cluster calls', () => {
  test('a deploy from a container image makes at most eight calls until the guest runs', async () => {
    await vms.ended('deploy_vm', await vms.begin())
    await noCalls()
    let id = ''
    const made = await callsFor(async () => {
      id = await vms.begin()
      await vms.ended('deploy_vm', id)
    })
    expect(made.length, made.join()).toBeLessThanOrEqual(8)
    expect(made.filter((call) => call.startsWith('PATCH'))).toEqual([
      'PATCH datavolumes',
      'PATCH networkpolicies',
      'PATCH secrets',
      'PATCH virtualmachines',
    ])
  })
})

describe('a VM whose disk the cluster does not create yet', () => {
  test('a VM whose disk cannot be created yet has its earlier parts and reports them as done', async () => {
    const path = `/apis/cdi.kubevirt.io/v1beta1/namespaces/${vms.namespace}/datavolumes/*`
    const faults = sandboxFaults(world.cluster)
    await faults.inject('requests', {
      method: 'PATCH',
      path,
      times: 1_000,
      fault: { do: 'answer', status: 503 },
    })
    const id = await vms.begin()
    const sql = `select steps from operation where target_id = '${id}'`
    const isDone = async (name: string): Promise<boolean> => {
      const [row] = await world.database.sql(sql)
      return Object(row)['steps'].some((step: Json) => step.name === name && step.state === 'done')
    }
    await waitFor(() => isDone('settings'), {
      timeoutMs: 15_000,
      what: 'the settings step to be recorded',
    })
    expect([await isDone('firewall'), await isDone('disk')]).toEqual([true, false])
    await faults.inject('requests/clear', {})
    await vms.ended('deploy_vm', id)
  })
})

describe('a worker that was paused past the end of a VM', () => {
  const paths = {
    disk: '/apis/cdi.kubevirt.io/v1beta1',
    vm: '/apis/kubevirt.io/v1',
    settings: '/api/v1',
  } as const
  const kinds = { disk: 'DataVolume', vm: 'VirtualMachine', settings: 'Secret' } as const
  const plurals = { disk: 'datavolumes', vm: 'virtualmachines', settings: 'secrets' } as const

  test('the parts that a paused worker recreates for a gone VM are removed again', async () => {
    const id = await vms.begin()
    await vms.ended('deploy_vm', id)
    const namespace = vms.namespace
    const collection = (part: keyof typeof paths): string =>
      `${paths[part]}/namespaces/${namespace}/${plurals[part]}`
    const objectsOf = async (part: keyof typeof paths): Promise<Json[]> =>
      (await world.cluster.call(`${collection(part)}?labelSelector=berth.dev/row-id=${id}`)).body
        .items
    const parts = ['settings', 'disk', 'vm'] as const
    const copies = new Map<(typeof parts)[number], Json>()
    for (const part of parts) {
      const [{ metadata, status: _status, ...content }] = await objectsOf(part)
      const { name, labels } = metadata
      copies.set(part, {
        ...content,
        apiVersion: paths[part].replace(/^\/apis?\//, ''),
        kind: kinds[part],
        metadata: { name, labels },
      })
    }
    await vms.ask('delete_vm', id)
    await vms.ended('delete_vm', id)
    for (const part of parts) {
      expect(
        (await world.cluster.call(collection(part), { method: 'POST', body: copies.get(part) }))
          .status,
      ).toBe(201)
    }
    const left = async (): Promise<number> =>
      (await Promise.all(parts.map(objectsOf))).flat().length
    await waitFor(async () => (await left()) === 0, {
      timeoutMs: 15_000,
      what: 'the strays to be gone',
    })
    const [row] = await world.database.sql(
      `select gone_at is not null as gone from vm where id = '${id}'`,
    )
    expect(row).toEqual({ gone: true })
  })

  test('the settings that a paused worker recreates for a gone VM are removed by one more pass', async () => {
    const id = await vms.begin()
    await vms.ended('deploy_vm', id)
    const path = `/api/v1/namespaces/${vms.namespace}/secrets`
    const secrets = async (): Promise<Json[]> =>
      (await world.cluster.call(`${path}?labelSelector=berth.dev/row-id=${id}`)).body.items
    const [{ metadata, data }] = await secrets()
    await vms.ask('delete_vm', id)
    await vms.ended('delete_vm', id)
    const { name, labels } = metadata
    const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels }, data }
    expect((await world.cluster.call(path, { method: 'POST', body })).status).toBe(201)
    // The next pass is due a minute later.
    await world.database.sql(`update work set due_at = now() where object_id = '${id}'`)
    await waitFor(async () => (await secrets()).length === 0, {
      timeoutMs: 15_000,
      what: 'the settings to be gone',
    })
  })
})
