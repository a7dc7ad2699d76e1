import { beforeAll, expect, test } from 'vitest'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { type VmActions, vmActions } from '../../support/actions/vm-actions.ts'
import { type Json } from '../../support/json.ts'
import { type SandboxFaults, sandboxFaults } from '../../support/sandbox/faults.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let vms: VmActions
let faults: SandboxFaults
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant()
  vms = await vmActions(tenant.admin)
  faults = sandboxFaults(world.cluster)
})

/** Answers every write of the kind as the API server does for an account without the right. */
async function forbid(plural: string, group: string): Promise<void> {
  const message = `${plural}.${group} "x" is forbidden: User "system:serviceaccount:berth:berth" cannot patch resource "${plural}" in API group "${group}" in the namespace "${tenant.namespace}"`
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Forbidden',
    code: 403,
    message,
  }
  await faults.inject('requests', {
    method: 'PATCH',
    path: `/apis/${group}/*/namespaces/${tenant.namespace}/${plural}/*`,
    times: 10_000,
    fault: { do: 'answer', status: 403, body },
  })
}

const loggedRights = (): Json[] =>
  world.logged
    .filter((line) => line.includes('cluster.right_missing'))
    .map((line) => JSON.parse(line))

const explanationOf = async (id: string): Promise<Json> =>
  (
    await tenant.admin.ask(
      'query ($id: ID!) { vm(id: $id) { explanation { code cause nextStep whoCanFix } } }',
      { id },
    )
  ).vm.explanation

test('a deploy that Berth may not carry out names the right, and the log tells it once', async () => {
  await forbid('virtualmachines', 'kubevirt.io')
  const made = [await vms.create(), await vms.create()]
  for (const { id } of made) {
    await vms.inState(id, 'Failed')
    expect(await explanationOf(id)).toEqual({
      code: 'deploy_failed',
      cause: expect.stringContaining('patch virtualmachines.kubevirt.io'),
      nextStep: expect.stringContaining('operator'),
      whoCanFix: 'operator',
    })
  }
  expect(loggedRights()).toMatchObject([
    {
      level: 'error',
      user: 'system:serviceaccount:berth:berth',
      verb: 'patch',
      resource: 'virtualmachines.kubevirt.io',
    },
  ])
  await faults.inject('requests/clear', {})
  await tenant.admin.ask(
    'mutation ($id: ID!) { retryVm(input: { id: $id }) { vm { id } } }',
    made[0],
  )
  await vms.inState(made[0]?.id, 'Running')
})

test('a volume that Berth may not create names the right', async () => {
  await forbid('datavolumes', 'cdi.kubevirt.io')
  const { operation } = await new VolumeActions(world, tenant).ask('createVolume', {
    name: unique('vol'),
    sizeGi: 1,
  })
  expect(operation).toMatchObject({ state: 'failed', fault: { code: 'platform_error' } })
  const [row] = await world.database.sql(
    `select fault_detail::text as detail from operation where id = '${operation.id}'`,
  )
  expect(row?.['detail']).toContain('datavolumes.cdi.kubevirt.io')
  await faults.inject('requests/clear', {})
})
