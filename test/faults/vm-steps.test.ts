import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allStepPoints } from '../../server/src/domain/operation/kind.ts'
import { planFailpoints } from '../../server/src/runtime/failpoint.ts'
import { type Json } from '../support/json.ts'
import { sandboxFaults } from '../support/sandbox-faults.ts'
import { waitFor } from '../support/wait-for.ts'
import { type World, type WorldTenant, aWorld, unique } from '../support/world.ts'

const kindsHere = ['deploy_vm', 'start_vm', 'stop_vm', 'delete_vm'] as const

let world: World
let tenant: WorldTenant
let templateId: string
let expected: unknown[]
const seen = new Set<string>()

beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).order('pace', { factor: 0.1 })
  tenant = await world.tenant()
  templateId = (await tenant.admin.ask('{ vmTemplates(filter: { search: "ubuntu" }) { nodes { id } } }')).vmTemplates.nodes[0].id
  planFailpoints({ rules: [], seen: (name, where) => void seen.add(`${name} ${where}`) })
  expected = await whole(await begin())
})
afterEach(() => planFailpoints(null))

const create = 'mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id } } }'
const verbs = { start_vm: 'startVm', stop_vm: 'stopVm', delete_vm: 'deleteVm' } as const

const begin = async (): Promise<string> => (await tenant.admin.ask(create, { i: { name: unique('steps'), templateId } })).createVm.vm.id

async function ask(kind: keyof typeof verbs, id: string): Promise<void> {
  await tenant.admin.ask(`mutation ($id: ID!) { ${verbs[kind]}(input: { id: $id }) { vm { id } } }`, { id })
}

async function ended(kind: string, id: string): Promise<void> {
  const query = `select 1 from operation where kind = '${kind}' and target_id = '${id}' and finished_at is not null`
  await waitFor(async () => (await world.database.sql(query)).length > 0, { timeoutMs: 20_000, everyMs: 30, what: `${kind} to end` })
}

/** Deployed, stopped, started, deleted: what is left after each, without what differs from life to life. */
async function whole(id: string): Promise<unknown[]> {
  await ended('deploy_vm', id)
  const states = [await endState(id)]
  for (const kind of ['stop_vm', 'start_vm', 'delete_vm'] as const) {
    await ask(kind, id)
    await ended(kind, id)
    states.push(await endState(id))
  }
  return states
}

async function endState(id: string): Promise<unknown> {
  const [vm] = await world.database.sql(`select state, wanted_power, cluster_uid, gone_at is not null as gone from vm where id = '${id}'`)
  const operations = await world.database.sql(
    `select kind, state, progress, fault_code, steps from operation where target_id = '${id}' order by created_at`,
  )
  const objects = await objectsOf(id)
  return {
    ...{ state: vm?.['gone'] ? null : vm?.['state'], power: vm?.['wanted_power'], gone: vm?.['gone'] },
    // The identity is kept of what is there, and there is one of each.
    objects: objects.map(({ kind, uid }) => [kind, kind !== 'virtualmachines' || uid === vm?.['cluster_uid']]),
    operations: operations.map(({ steps, ...operation }) => ({
      ...operation,
      steps: (steps as Json[]).map(({ name, state }) => `${name} ${state}`),
    })),
  }
}

const lists = { virtualmachines: '/apis/kubevirt.io/v1', datavolumes: '/apis/cdi.kubevirt.io/v1beta1', secrets: '/api/v1' }

async function objectsOf(id: string): Promise<{ kind: string; uid: string }[]> {
  const found = await Promise.all(
    Object.entries(lists).map(async ([kind, root]) => {
      const { body } = await world.cluster.call(`${root}/namespaces/${tenant.namespace}/${kind}?labelSelector=berth.dev/row-id=${id}`)
      return body.items.map(({ metadata }) => ({ kind, uid: metadata.uid }))
    }),
  )
  return found.flat()
}

describe('each step of a VM’s operations', () => {
  test('has a failpoint before and after it, named as in the registry', () => {
    expect([...seen].filter((name) => kindsHere.some((kind) => name.startsWith(kind))).sort()).toEqual(
      allStepPoints(kindsHere)
        .flatMap((name) => [`${name} after`, `${name} before`])
        .sort(),
    )
    expect(expected).toMatchObject([
      { state: 'Running', power: 'on', gone: false },
      { state: 'Stopped', power: 'off', gone: false },
      { state: 'Running', power: 'on', gone: false },
      { gone: true, objects: [] },
    ])
  })

  const troubles = allStepPoints(kindsHere).flatMap((at) => [
    { at, where: 'before', do: 'error', nth: 1 } as const,
    { at, where: 'after', do: 'error', nth: 1 } as const,
    { at, where: 'before', do: 'repeat' } as const,
  ])
  test.each(troubles)('that meets trouble ends as if there had been none: $at $where $do', async (rule) => {
    let strikes = 0
    planFailpoints({ rules: [rule], seen: (name, where) => void (name === rule.at && where === rule.where ? strikes++ : 0) })
    expect(await whole(await begin())).toEqual(expected)
    expect(strikes).toBeGreaterThanOrEqual(rule.do === 'error' && rule.where === 'before' ? 2 : 1)
  })

  test('that meets a delete ends with the delete: nothing is left, whichever comes first', async () => {
    for (const at of allStepPoints(['deploy_vm']))
      for (const where of ['before', 'after'] as const) {
        const asking: Promise<unknown>[] = []
        const id = await begin()
        // The step waits while the delete is asked for.
        planFailpoints({
          rules: [{ at, where, do: 'delay', delayMs: 150, nth: 1 }],
          seen: (name, when) => {
            if (asking.length === 0 && name === at && when === where) asking.push(ask('delete_vm', id))
          },
        })
        await waitFor(() => asking.length > 0, { timeoutMs: 15_000, what: `${where} ${at}` })
        await Promise.all(asking)
        await ended('delete_vm', id)
        expect([at, where, await endState(id)]).toMatchObject([at, where, { gone: true, objects: [] }])
        const open = await world.database.sql(`select 1 from operation where target_id = '${id}' and finished_at is null`)
        expect(open).toEqual([])
      }
  }, 240_000)
})
