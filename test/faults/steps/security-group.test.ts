import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allStepPoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { VmLives, stepsOf } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type World, aWorld } from '../../support/world/world.ts'

const kindsHere = [
  'set_vm_security_groups',
  'apply_security_group',
] as const satisfies readonly OperationKind[]
type KindHere = (typeof kindsHere)[number]

let world: World
let lives: VmLives
let vm: string
let groups: string[]
beforeAll(async () => {
  world = await aWorld()
  lives = await VmLives.in(world, { pace: 0.05 })
  const place = { world, tenant: lives.tenant }
  groups = [(await make.securityGroup(place)).id, (await make.securityGroup(place)).id]
  vm = await lives.ready({ securityGroupIds: groups })
})
afterEach(() => planFailpoints(null))

let port = 1_000
/**
 * A rule that nobody has seen yet, in a group of the VM, or the groups in another number; answers
 * with what is let in then.
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
    return (await lives.tenant.admin.ask(document, { i: { id: group, rules: rules(port) } }))
      .updateSecurityGroup.operation
  }
  const has = (
    await world.database.sql(`select group_id as id from vm_security_group where vm_id = '${id}'`)
  ).map((row) => String(row.id))
  if (kind === 'apply_security_group')
    return { operation: (await update(one)).id, ports: await portsOf(has) }
  const securityGroupIds = has.length === 2 ? [one] : groups
  const document =
    'mutation ($i: SetVmSecurityGroupsInput!) { setVmSecurityGroups(input: $i) { operation { id } } }'
  const { operation } = (await lives.tenant.admin.ask(document, { i: { id, securityGroupIds } }))
    .setVmSecurityGroups
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
  `/apis/networking.k8s.io/v1/namespaces/${lives.namespace}/networkpolicies/vm-${id}-guard`

async function letIn(id = vm): Promise<number[]> {
  const { spec }: Json = (await world.cluster.call(path(id))).body
  return spec.ingress.flatMap(({ ports }: Json) => ports.map((each: Json) => each.port))
}

const sorted = (ports: readonly number[]): number[] => ports.toSorted((a, b) => a - b)

async function mustEndWell({
  operation,
  ports,
}: {
  operation: string
  ports: number[]
}): Promise<void> {
  const { state, progress, fault_code: fault, steps } = await lives.end(operation)
  expect({ state, progress, fault, steps: stepsOf(steps) }).toMatchObject({
    state: 'succeeded',
    progress: 100,
    fault: null,
  })
  expect(stepsOf(steps).every((step) => step.endsWith(' done'))).toBe(true)
  expect(sorted(await letIn())).toEqual(sorted(ports))
}

describe('each step of what is done with security groups', () => {
  test('has a failpoint before and after it, named as in the registry', async () => {
    const seen = new Set<string>()
    planFailpoints({ rules: [], seen: (name, where) => void seen.add(`${name} ${where}`) })
    for (const kind of kindsHere) await mustEndWell(await ask(kind))
    const points = allStepPoints(kindsHere)
    expect([...seen].filter((name) => points.some((at) => name.startsWith(at))).sort()).toEqual(
      points.flatMap((at) => [`${at} after`, `${at} before`]).sort(),
    )
  })

  const rules = [
    { where: 'before', do: 'error', nth: 1 },
    { where: 'after', do: 'error', nth: 1 },
    { where: 'before', do: 'repeat' },
  ] as const
  const troubles = kindsHere.flatMap((kind) =>
    allStepPoints([kind]).flatMap((at) => rules.map((rule) => ({ kind, at, ...rule }))),
  )
  test.each(troubles)(
    'that meets trouble ends as if there had been none: $at $where $do',
    async ({ kind, ...rule }) => {
      let strikes = 0
      planFailpoints({
        rules: [rule],
        seen: (name, where) => void (name === rule.at && where === rule.where ? strikes++ : 0),
      })
      await mustEndWell(await ask(kind))
      expect(strikes).toBeGreaterThanOrEqual(1)
    },
  )

  test('that meets the end of the VM ends with it, and nothing is left', async () => {
    const at = 'set_vm_security_groups.guard'
    for (const where of ['before', 'after'] as const) {
      const doomed = await lives.ready({ securityGroupIds: groups })
      const asking: Promise<Json>[] = []
      // The step waits while the delete is asked for.
      planFailpoints({
        rules: [{ at, where, do: 'delay', delayMs: 150, nth: 1, of: doomed }],
        seen: (name, when, of) => {
          if (asking.length === 0 && name === at && when === where && of === doomed)
            asking.push(lives.ask('delete_vm', doomed))
        },
      })
      await ask('set_vm_security_groups', doomed)
      await waitFor(() => asking.length > 0, { timeoutMs: 15_000, what: `${where} ${at}` })
      await Promise.all(asking)
      await lives.ended('delete_vm', doomed)
      // The delayed step may write the policy once more after the delete has removed it. The
      // worker removes that policy too, so the policy is gone for good when no key is leased.
      const held = `select 1 from work where object_id = '${doomed}' and lease_until is not null`
      const isGone = async (): Promise<boolean> =>
        (await world.database.sql(held)).length === 0 &&
        (await world.cluster.call(path(doomed))).status === 404
      await waitFor(isGone, { timeoutMs: 15_000, what: 'the policy to be gone' })
      expect([where, await lives.left(doomed)]).toMatchObject([
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
  test('that the cluster does not take fails what was promised, and what was let in before still is', async () => {
    for (const kind of kindsHere) {
      const before = await letIn()
      const body = {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'Invalid',
        code: 422,
        message: 'not this one',
      }
      await sandboxFaults(world.cluster).order('requests', {
        method: 'PATCH',
        path: path(vm),
        fault: { do: 'answer', status: 422, body },
      })
      expect(await lives.end((await ask(kind)).operation)).toMatchObject({
        state: 'failed',
        fault_code: 'platform_error',
      })
      expect(await letIn()).toEqual(before)
      // The next time it is taken again.
      await mustEndWell(await ask(kind))
    }
  })

  test('of a VM that is gone, made by a worker that was paused, is taken away again', async () => {
    const id = await lives.ready()
    const { metadata, spec, apiVersion, kind }: Json = (await world.cluster.call(path(id))).body
    await lives.ask('delete_vm', id)
    await lives.ended('delete_vm', id)
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
