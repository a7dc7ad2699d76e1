import { beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type VmActions, vmActions } from '../../support/actions/vm-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let vms: VmActions
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  tenant = await world.tenant()
  vms = await vmActions(tenant.admin)
})

const ssh = 'ssh { state exposed wantedNodePort nodePort address explanation }'
const verb = (name: string): string =>
  `mutation ($i: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $i, waitSeconds: 30) { vm { ${ssh} } operation { state fault { code message } } } }`
const exposed = async (id: string, nodePort?: number): Promise<Json> =>
  (await tenant.admin.ask(verb('exposeVmSsh'), { i: { id, nodePort } })).exposeVmSsh
const unexposed = async (id: string): Promise<Json> =>
  (await tenant.admin.ask(verb('unexposeVmSsh'), { i: { id } })).unexposeVmSsh
const shown = async (id: string): Promise<Json> =>
  (await tenant.admin.ask(`query ($id: ID!) { vm(id: $id) { ip ${ssh} } }`, { id })).vm
const inState = (id: string, state: string): Promise<void> =>
  waitFor(async () => (await shown(id)).ssh.state === state, {
    timeoutMs: 20_000,
    what: `SSH to be ${state}`,
  })

const pathOf = (kind: 'services' | 'endpointslices', id: string): string =>
  `${kind === 'services' ? '/api/v1' : '/apis/discovery.k8s.io/v1'}/namespaces/${tenant.namespace}/${kind}/vm-${id}-ssh`
const service = (id: string): Promise<{ status: number; body: Json }> =>
  world.cluster.call(pathOf('services', id))
const slice = (id: string): Promise<{ status: number; body: Json }> =>
  world.cluster.call(pathOf('endpointslices', id))
const isGone = (read: () => Promise<{ status: number }>): Promise<void> =>
  waitFor(async () => (await read()).status === 404, {
    timeoutMs: 15_000,
    what: 'the object to be gone',
  })
const letIn = async (id: string): Promise<number[]> => {
  const path = `/apis/networking.k8s.io/v1/namespaces/${tenant.namespace}/networkpolicies/vm-${id}-guard`
  const { body }: { body: Json } = await world.cluster.call(path)
  return (body.spec.ingress ?? []).flatMap(({ ports }: Json) => ports.map(({ port }: Json) => port))
}

describe('SSH of a VM', () => {
  test('SSH leads to a running VM by its node port, waits while the VM is off, and can be closed', async () => {
    const { id } = await vms.running()
    expect((await shown(id)).ssh).toMatchObject({ state: 'closed', exposed: false, nodePort: null })
    expect(await letIn(id)).not.toContain(22)
    const { vm, operation } = await exposed(id)
    expect([operation.state, vm.ssh.state]).toEqual(['succeeded', 'open'])
    const { nodePort } = vm.ssh
    const { spec } = (await service(id)).body
    expect(spec).toMatchObject({
      type: 'NodePort',
      ports: [{ name: 'ssh', protocol: 'TCP', port: 22, targetPort: 22, nodePort }],
    })
    expect(spec.selector).toBeUndefined()
    const { metadata, endpoints } = (await slice(id)).body
    expect(metadata.labels).toMatchObject({
      'kubernetes.io/service-name': `vm-${id}-ssh`,
      'endpointslice.kubernetes.io/managed-by': 'berth',
    })
    expect(endpoints).toEqual([{ addresses: [(await shown(id)).ip], conditions: { ready: true } }])
    expect(await letIn(id)).toContain(22)

    await vms.ask('stopVm', id)
    await isGone(() => slice(id))
    await inState(id, 'waiting')
    expect((await shown(id)).ssh).toMatchObject({
      nodePort,
      address: null,
      explanation: expect.stringContaining('as soon as it runs'),
    })
    await vms.ask('startVm', id)
    await inState(id, 'open')
    const again = await shown(id)
    expect([again.ssh.nodePort, again.ssh.address]).toEqual([nodePort, again.ip])
    expect((await slice(id)).body.endpoints[0].addresses).toEqual([again.ip])

    expect((await unexposed(id)).operation.state).toBe('succeeded')
    expect([(await service(id)).status, (await slice(id)).status, await letIn(id)]).toEqual([
      404,
      404,
      expect.not.arrayContaining([22]),
    ])
    expect((await shown(id)).ssh).toMatchObject({ state: 'closed', nodePort: null, address: null })
  })

  test('SSH uses the requested node port, or reports that the port is taken', async () => {
    const stranger = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'of-another' },
      spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 31_022 }] },
    }
    const collection = '/api/v1/namespaces/default/services'
    expect((await world.cluster.call(collection, { method: 'POST', body: stranger })).status).toBe(
      201,
    )
    const { id } = await vms.create({ start: false })
    await world.ended('deploy_vm', id)
    const refused = await exposed(id, 31_022)
    expect(refused.operation).toMatchObject({
      state: 'failed',
      fault: { code: 'conflict', message: expect.stringContaining('31022') },
    })
    expect(refused.vm.ssh).toMatchObject({
      state: 'refused',
      nodePort: null,
      explanation: expect.stringContaining('taken already'),
    })
    expect((await exposed(id, 31_023)).vm.ssh).toMatchObject({
      state: 'waiting',
      nodePort: 31_023,
      explanation: expect.stringMatching(/no IP/),
    })
    expect((await exposed(id, 31_022)).vm.ssh).toMatchObject({ state: 'refused', nodePort: 31_023 })
    expect((await exposed(id)).vm.ssh).toMatchObject({ state: 'waiting', nodePort: 31_023 })
    await world.cluster.call(`${collection}/of-another`, { method: 'DELETE' })
    expect((await exposed(id, 31_022)).vm.ssh).toMatchObject({ state: 'waiting', nodePort: 31_022 })
  })

  test('SSH is repaired with the same node port when its objects are deleted or changed', async () => {
    const { id } = await vms.running({ exposeSsh: true })
    await inState(id, 'open')
    const { nodePort, address } = (await shown(id)).ssh
    for (const kind of ['services', 'endpointslices'] as const) {
      const { uid } = (await world.cluster.call(pathOf(kind, id))).body.metadata
      await world.cluster.call(pathOf(kind, id), { method: 'DELETE' })
      const isBack = async (): Promise<boolean> => {
        const { status, body }: { status: number; body: Json } = await world.cluster.call(
          pathOf(kind, id),
        )
        return status === 200 && body.metadata.uid !== uid
      }
      await waitFor(isBack, { timeoutMs: 20_000, what: `the ${kind} to be back` })
    }
    expect((await service(id)).body.spec.ports[0].nodePort).toBe(nodePort)
    const elsewhere = { ...(await slice(id)).body, endpoints: [{ addresses: ['10.9.9.9'] }] }
    await world.cluster.call(pathOf('endpointslices', id), { method: 'PUT', body: elsewhere })
    const leadsHere = async (): Promise<boolean> =>
      (await slice(id)).body.endpoints[0].addresses[0] === address
    await waitFor(leadsHere, { timeoutMs: 20_000, what: 'the port to lead to the VM again' })
  })

  test('SSH ends with the VM, and leftovers of a stale worker are removed', async () => {
    const { id } = await vms.running({ exposeSsh: true })
    await inState(id, 'open')
    const { metadata, spec, apiVersion, kind }: Json = (await service(id)).body
    await vms.ask('deleteVm', id)
    await world.ended('delete_vm', id)
    await isGone(() => service(id))
    await isGone(() => slice(id))
    const body = {
      apiVersion,
      kind,
      metadata: { name: metadata.name, labels: metadata.labels },
      spec: { type: 'NodePort', ports: spec.ports },
    }
    expect(
      (
        await world.cluster.call(`/api/v1/namespaces/${tenant.namespace}/services`, {
          method: 'POST',
          body,
        })
      ).status,
    ).toBe(201)
    await isGone(() => service(id))
  })

  test('SSH is refused for a VM without the cluster network, and for an invalid port', async () => {
    await world.networksOpen()
    const [{ id: networkId }] = (await tenant.admin.ask('{ networks(first: 1) { nodes { id } } }'))
      .networks.nodes
    const { id } = await vms.create({ start: false, networkIds: [networkId], podNetwork: false })
    const codeOf = async (name: string, i: Json): Promise<string | null> =>
      (await tenant.admin.graphql(verb(name), { i })).code
    expect(await codeOf('exposeVmSsh', { id })).toBe('wrong_state')
    expect(await codeOf('unexposeVmSsh', { id })).toBe('wrong_state')
    for (const nodePort of [22, 29_999, 32_768, -1])
      expect([nodePort, await codeOf('exposeVmSsh', { id, nodePort })]).toEqual([
        nodePort,
        'invalid_input',
      ])
    await expect(
      vms.create({ networkIds: [networkId], podNetwork: false, exposeSsh: true }),
    ).rejects.toThrow(/exposeSsh|invalid_input/)
  })
})
