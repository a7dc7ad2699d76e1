import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { VmScenarios, stepsOf } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type World, aWorld } from '../../support/world/world.ts'

const kindsHere = [
  'set_vm_security_groups',
  'apply_security_group',
] as const satisfies readonly OperationKind[]
type KindHere = (typeof kindsHere)[number]

let world: World
let scenarios: VmScenarios
let vm: string
let groups: string[]
beforeAll(async () => {
  world = await aWorld()
  scenarios = await VmScenarios.in(world, { pace: 0.05 })
  const context = { world, tenant: scenarios.tenant }
  groups = [(await make.securityGroup(context)).id, (await make.securityGroup(context)).id]
  vm = await scenarios.ready({ securityGroupIds: groups })
})
afterEach(() => planFailpoints(null))

let port = 1_000
/**
 * Changes the rules of a group of the VM, or the groups of the VM. Returns the operation and the
 * ports that are allowed after it.
 */
async function ask(kind: KindHere, id = vm): Promise<{ operation: string; ports: number[] }> {
  const [one] = groups
  const rules = (each: number): Json[] => [
    { direction: 'ingress', protocol: 'tcp', portFrom: each, cidr: '0.0.0.0/0' },
  ]
  const update = async (group: string | undefined): Promise<Json> => {
    port += 1
    const document =
      'mutation ($i: UpdateSecurityGroupInput!) { updateSecurityGroup(input: $i) { operation { id } } }'
    return (await scenarios.tenant.admin.ask(document, { i: { id: group, rules: rules(port) } }))
      .updateSecurityGroup.operation
  }
  const memberOf = (
    await world.database.sql(`select group_id as id from vm_security_group where vm_id = '${id}'`)
  ).map((row) => String(row.id))
  if (kind === 'apply_security_group')
    return { operation: (await update(one)).id, ports: await portsOf(memberOf) }
  const securityGroupIds = memberOf.length === 2 ? [one] : groups
  const document =
    'mutation ($i: SetVmSecurityGroupsInput!) { setVmSecurityGroups(input: $i) { operation { id } } }'
  const { operation } = (
    await scenarios.tenant.admin.ask(document, { i: { id, securityGroupIds } })
  ).setVmSecurityGroups
  return { operation: operation.id, ports: await portsOf(securityGroupIds) }
}

async function portsOf(ids: readonly (string | undefined)[]): Promise<number[]> {
  const list = ids.map((each) => `'${each}'`).join(', ')
  const rows = await world.database.sql(
    `select port_from as port from security_group_rule where group_id in (${list}) and direction = 'ingress'`,
  )
  return rows.map(({ port: each }) => Number(each))
}

const path = (id: string): string =>
  `/apis/networking.k8s.io/v1/namespaces/${scenarios.namespace}/networkpolicies/vm-${id}-guard`

async function allowedPorts(id = vm): Promise<number[]> {
  const { spec }: Json = (await world.cluster.call(path(id))).body
  return (spec.ingress ?? []).flatMap(({ ports }: Json) => ports.map((each: Json) => each.port))
}

const sorted = (ports: readonly number[]): number[] => ports.toSorted((a, b) => a - b)

async function mustEndWell({
  operation,
  ports,
}: {
  operation: string
  ports: number[]
}): Promise<void> {
  const { state, progress, fault_code: fault, steps } = await scenarios.end(operation)
  expect({ state, progress, fault, steps: stepsOf(steps) }).toMatchObject({
    state: 'succeeded',
    progress: 100,
    fault: null,
  })
  expect(stepsOf(steps).every((step) => step.endsWith(' done'))).toBe(true)
  expect(sorted(await allowedPorts())).toEqual(sorted(ports))
}

describe('each step of security group operations', () => {
  test('each step has a failpoint before and after it, named as in the registry', async () => {
    const reached = new Set<string>()
    planFailpoints({ rules: [], onArrival: (name, where) => void reached.add(`${name} ${where}`) })
    for (const kind of kindsHere) await mustEndWell(await ask(kind))
    const points = allStepFailpoints(kindsHere)
    expect([...reached].filter((name) => points.some((at) => name.startsWith(at))).sort()).toEqual(
      points.flatMap((at) => [`${at} after`, `${at} before`]).sort(),
    )
  })

  const rules = [
    { where: 'before', do: 'error', nth: 1 },
    { where: 'after', do: 'error', nth: 1 },
    { where: 'before', do: 'repeat' },
  ] as const
  const faults = kindsHere.flatMap((kind) =>
    allStepFailpoints([kind]).flatMap((at) => rules.map((rule) => ({ kind, at, ...rule }))),
  )
  test.each(faults)(
    'a step with a fault ends like one without: $at $where $do',
    async ({ kind, ...rule }) => {
      let hits = 0
      planFailpoints({
        rules: [rule],
        onArrival: (name, where) => void (name === rule.at && where === rule.where ? hits++ : 0),
      })
      await mustEndWell(await ask(kind))
      expect(hits).toBeGreaterThanOrEqual(1)
    },
  )

  test('a deletion of the VM during a step ends the operation and leaves nothing', async () => {
    const at = 'set_vm_security_groups.firewall'
    for (const where of ['before', 'after'] as const) {
      const doomed = await scenarios.ready({ securityGroupIds: groups })
      const requests: Promise<Json>[] = []
      // The step waits while the delete is requested.
      planFailpoints({
        rules: [{ at, where, do: 'delay', delayMs: 150, nth: 1, of: doomed }],
        onArrival: (name, when, of) => {
          if (requests.length === 0 && name === at && when === where && of === doomed)
            requests.push(scenarios.ask('delete_vm', doomed))
        },
      })
      await ask('set_vm_security_groups', doomed)
      await waitFor(() => requests.length > 0, { timeoutMs: 15_000, what: `${where} ${at}` })
      await Promise.all(requests)
      await scenarios.ended('delete_vm', doomed)
      // The delayed step may write the policy once more after the delete has removed it. The
      // worker removes that policy too, so the policy is gone for good when no key is leased.
      const leased = `select 1 from work where object_id = '${doomed}' and lease_until is not null`
      const isGone = async (): Promise<boolean> =>
        (await world.database.sql(leased)).length === 0 &&
        (await world.cluster.call(path(doomed))).status === 404
      await waitFor(isGone, { timeoutMs: 15_000, what: 'the policy to be gone' })
      expect([where, await scenarios.left(doomed)]).toMatchObject([
        where,
        { vm: { gone: true }, objects: [] },
      ])
      expect(
        await world.database.sql(
          `select 1 from operation where target_id = '${doomed}' and finished_at is null`,
        ),
      ).toEqual([])
    }
  })
})

describe('a policy', () => {
  test('a policy that the cluster refuses fails the operation, and the previous rules stay', async () => {
    for (const kind of kindsHere) {
      const before = await allowedPorts()
      const body = {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'Invalid',
        code: 422,
        message: 'not this one',
      }
      await sandboxFaults(world.cluster).inject('requests', {
        method: 'PATCH',
        path: path(vm),
        fault: { do: 'answer', status: 422, body },
      })
      expect(await scenarios.end((await ask(kind)).operation)).toMatchObject({
        state: 'failed',
        fault_code: 'platform_error',
      })
      expect(await allowedPorts()).toEqual(before)
      // The cluster accepts the next change.
      await mustEndWell(await ask(kind))
    }
  })

  test('a policy that a paused worker recreates for a gone VM is removed again', async () => {
    const id = await scenarios.ready()
    const { metadata, spec, apiVersion, kind }: Json = (await world.cluster.call(path(id))).body
    await scenarios.ask('delete_vm', id)
    await scenarios.ended('delete_vm', id)
    const { name, labels } = metadata
    const collection = path(id).replace(/\/[^/]+$/, '')
    const body = { apiVersion, kind, metadata: { name, labels }, spec }
    expect((await world.cluster.call(collection, { method: 'POST', body })).status).toBe(201)
    await waitFor(async () => (await world.cluster.call(path(id))).status === 404, {
      timeoutMs: 15_000,
      what: 'the stray to be gone',
    })
  })
})
