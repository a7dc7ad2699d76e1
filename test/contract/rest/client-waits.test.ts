import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { type WireAnswer } from '../../support/clients/http-client.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  adminPassword,
  type World,
  type WorldTenant,
  aWorld,
  unique,
} from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let templateId: string
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  tenant = await world.tenant('acme')
  templateId = (await tenant.admin.rest('GET', '/vm-templates?filter=cirros')).body.vm_templates[0]
    .id
})

afterEach(() => planFailpoints(null))

const web = (): Json => ({ name: 'web', template_id: templateId })
const post = (path: string, body: Json, headers = {}): Promise<WireAnswer> =>
  tenant.admin.rest('POST', path, { body, headers })
const remove = (path: string, headers = {}): Promise<WireAnswer> =>
  tenant.admin.rest('DELETE', path, { headers })
const deploy = async (): Promise<string> =>
  (await post('/vms', { name: unique('vm'), template_id: templateId })).body.vm.name
const aVolume = async (): Promise<string> =>
  (await post('/volumes', { name: unique('vol'), size_gi: 1 })).body.volume.id

const inState = (name: string, state: string): Promise<void> =>
  waitFor(async () => (await tenant.admin.rest('GET', `/vms/${name}`)).body.vm.state === state, {
    timeoutMs: 15_000,
    what: `${name} to be ${state}`,
  })

/** Measures how long the answer takes. */
async function timed(act: () => Promise<WireAnswer>): Promise<WireAnswer & { tookMs: number }> {
  const start = performance.now()
  return { ...(await act()), tookMs: performance.now() - start }
}

describe('a chain of requests without a pause', () => {
  test('a VM is deployed, gets a volume, and is saved in a snapshot', async () => {
    const [name, volumeId] = await Promise.all([deploy(), aVolume()])
    // On a busy machine a step may take longer than the 20 s of a request without the header.
    const patient = { prefer: 'wait=60' }
    const statuses = [
      await post(`/vms/${name}/volumes`, { volume_id: volumeId }, patient),
      await post('/vm-snapshots', { vm_name: name, name: unique('snap') }, patient),
      await post('/snapshots', { volume_id: volumeId, name: unique('snap') }, patient),
      await remove(`/vms/${name}/volumes/${volumeId}`, patient),
      await post('/vms/stop', { name }, patient),
      await post('/vms/start', { name }, patient),
      await post('/vms/delete', { name }, patient),
      await remove(`/volumes/${volumeId}`, patient),
    ].map(({ status, text }) => (status < 300 ? status : text))
    expect(statuses).toEqual([200, 201, 201, 200, 200, 200, 200, 200])
  })

  test('a VM is deleted and deployed again under its name', async () => {
    const name = await deploy()
    // The guest takes longer to stop than the deletion is waited for.
    await post('/vms/delete', { name }, { prefer: 'respond-async' })
    expect((await post('/vms', { name, template_id: templateId })).status).toBe(201)
  })

  test('a network and a security group are deleted while their VM is being deleted', async () => {
    const { vpc } = (await post('/vpcs', { name: unique('vpc') })).body
    const { network } = (await post('/networks', { name: 'apps', vpc_id: vpc.id })).body
    const { security_group: group } = (await post('/security-groups', { name: unique('sg') })).body
    const body = {
      name: unique('vm'),
      template_id: templateId,
      network_ids: [network.id],
      security_group_ids: [group.id],
    }
    const { name } = (await post('/vms', body)).body.vm
    await post('/vms/delete', { name }, { prefer: 'respond-async' })
    const statuses = [
      await remove(`/networks/${network.id}`),
      await remove(`/security-groups/${group.id}`),
      await remove(`/vpcs/${vpc.id}`),
    ].map(({ status, text }) => (status < 300 ? status : text))
    expect(statuses).toEqual([200, 200, 200])
  })

  test('a tenant is deleted with a running VM and created again under its slug', async () => {
    const slug = unique('t')
    const body = { name: slug, slug, admin_password: adminPassword }
    const { tenant: first } = (await world.root.rest('POST', '/tenants', { body })).body
    const inside = world.root.with({ 'x-tenant-id': first.id })
    await inside.rest('POST', '/vms', { body: web(), headers: { prefer: 'wait=20' } })
    const deleted = await world.root.rest('DELETE', `/tenants/${first.id}`)
    const again = await world.root.rest('POST', '/tenants', { body })
    expect([deleted.status, deleted.body, again.status]).toEqual([
      200,
      { deleted: true, id: first.id },
      201,
    ])
    expect(again.body.tenant.id).not.toBe(first.id)
    const second = world.root.with({ 'x-tenant-id': again.body.tenant.id })
    expect((await second.rest('POST', '/vms', { body: web() })).status).toBe(201)
  })

  test('a VM is deployed in a tenant that is being created', async () => {
    const slug = unique('t')
    const body = { name: slug, slug, admin_password: adminPassword }
    const { tenant: made } = (await world.root.rest('POST', '/tenants', { body })).body
    const client = world.root.with({ 'x-tenant-id': made.id })
    const answer = await client.rest('POST', '/vms', { body: web() })
    expect([answer.status, answer.body.vm.tenant_id]).toEqual([201, made.id])
  })
})

describe('the wait for a transient refusal', () => {
  /** A VM whose disks are held back, and a volume. */
  async function held(): Promise<{ path: string; body: Json }> {
    const volumeId = await aVolume()
    planFailpoints({ rules: [{ at: 'deploy_vm.vm', do: 'error' }] })
    const name = await deploy()
    return { path: `/vms/${name}/volumes`, body: { volume_id: volumeId } }
  }

  test('a waiting write ends after the seconds of Prefer: wait with a refusal that says when to repeat', async () => {
    const { path, body } = await held()
    const answer = await timed(() => post(path, body, { prefer: 'wait=1' }))
    expect([answer.status, answer.body.code]).toEqual([409, 'wrong_state'])
    expect(answer.headers['retry-after']).toBe('1')
    expect(answer.tookMs).toBeGreaterThan(900)
    expect(answer.tookMs).toBeLessThan(10_000)
  })

  test('a waiting write leaves one row in the audit log', async () => {
    const { path, body } = await held()
    const refused = await post(path, body, { prefer: 'wait=1' })
    const rows = await world.database.sql(
      `select outcome from audit_event where request_id = '${refused.body.request_id}'`,
    )
    expect(rows).toEqual([{ outcome: 'refused' }])
  })

  test.each(['wait=0', 'respond-async'])('Prefer: %s answers at once', async (prefer) => {
    const { path, body } = await held()
    const answer = await timed(() => post(path, body, { prefer }))
    expect([answer.status, answer.tookMs < 5_000]).toEqual([409, true])
  })

  test('a refusal that does not end by itself is answered at once', async () => {
    const name = await deploy()
    const volumeId = await aVolume()
    await inState(name, 'Running')
    await post(`/vms/${name}/volumes`, { volume_id: volumeId })
    const other = await deploy()
    await inState(other, 'Running')
    const attached = await post(`/vms/${other}/volumes`, { volume_id: volumeId })
    const taken = await post('/vms', { name, template_id: templateId })
    const used = await remove(`/volumes/${volumeId}`)
    // A refusal that was waited for in vain says when to repeat the request.
    const answers = [attached, taken, used].map(({ body, headers }) => [
      body.code,
      headers['retry-after'],
    ])
    expect(answers).toEqual([
      ['in_use', undefined],
      ['already_exists', undefined],
      ['in_use', undefined],
    ])
  })
})
