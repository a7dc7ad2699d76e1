import { beforeAll, describe, expect, test } from 'vitest'
import { attachmentPolicies } from '../../../server/src/domain/network/attachment-policies.ts'
import { type Json } from '../../support/json.ts'
import { networkActions } from '../../support/actions/network-actions.ts'
import { type KubeAnswer } from '../../support/sandbox/sandbox.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

/* The admission policies also bind the cluster's administrator, who calls the API directly. */
let world: World
let tenant: WorldTenant
let own: string
let foreign: string
beforeAll(async () => {
  world = await aWorld()
  const [first = expect.unreachable(), second = expect.unreachable()] = await Promise.all([
    world.tenant(),
    world.tenant(),
  ])
  tenant = first
  own = await networkOf(first)
  foreign = await networkOf(second)
  await Promise.all(
    Object.values(attachmentPolicies).map((name) =>
      waitFor(async () => isBound(name), { what: name }),
    ),
  )
})

const admission = '/apis/admissionregistration.k8s.io/v1'
const isBound = async (name: string): Promise<boolean> =>
  (await world.cluster.call(`${admission}/validatingadmissionpolicybindings/${name}`)).status ===
  200

/** Returns the tenant's default network as VMs reference it. */
async function networkOf(of: WorldTenant): Promise<string> {
  const { networks } = await of.admin.ask('{ networks { nodes { id } } }')
  const { attachmentNamespace, attachmentName } = await networkActions(() => ({
    world,
    tenant: of,
  })).opened('network', networks.nodes[0].id)
  return `${attachmentNamespace}/${attachmentName}`
}

/** Sends a dry run, so nothing is created. */
const ask = (path: string, body: Json): Promise<KubeAnswer> =>
  world.cluster.call(`${path.replace('NS', `namespaces/${tenant.namespace}`)}?dryRun=All`, {
    method: 'POST',
    body,
  })

const guest = (networkName: string) => ({
  domain: {
    devices: { interfaces: [{ name: 'a', bridge: {} }] },
    resources: { requests: { memory: '64Mi' } },
  },
  networks: [{ name: 'a', multus: { networkName } }],
})
const vmIn = (networkName: string): Promise<KubeAnswer> =>
  ask('/apis/kubevirt.io/v1/NS/virtualmachines', {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'intruder' },
    spec: { runStrategy: 'Halted', template: { spec: guest(networkName) } },
  })
const vmiIn = (networkName: string): Promise<KubeAnswer> =>
  ask('/apis/kubevirt.io/v1/NS/virtualmachineinstances', {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'intruder' },
    spec: guest(networkName),
  })
const podWith = (annotations: Record<string, string>): Promise<KubeAnswer> =>
  ask('/api/v1/NS/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'intruder', annotations },
    spec: { containers: [{ name: 'a', image: 'registry.example/a:1' }] },
  })
const podIn = (text: string): Promise<KubeAnswer> =>
  podWith({ 'k8s.v1.cni.cncf.io/networks': text })
const json = (name: string): string => {
  const [namespace, network] = name.split('/')
  return JSON.stringify([{ name: network, namespace, mac: '02:00:00:00:00:01', interface: 'pod1' }])
}

describe('attachment policies', () => {
  test('a VM in a network of another tenant is refused with the message of the policy', async () => {
    const { status, body } = await vmIn(foreign)
    const [namespace] = foreign.split('/')
    const name = attachmentPolicies.foreignAttachments
    const message = `ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: a network in ${namespace} belongs to another tenant`
    expect({ status, ...body }).toMatchObject({
      status: 'Failure',
      code: 403,
      reason: 'Forbidden',
      message: `virtualmachines.kubevirt.io "intruder" is forbidden: ${message}`,
      details: {
        name: 'intruder',
        group: 'kubevirt.io',
        kind: 'virtualmachines',
        causes: [{ message }],
      },
    })
  })

  test.each<[string, () => Promise<KubeAnswer>]>([
    ['a VMI in a network of another tenant', () => vmiIn(foreign)],
    ['a pod in a foreign network, by a list of names', () => podIn(` ${own}, ${foreign}@eth1`)],
    ['a pod in a foreign network, as JSON', () => podIn(json(foreign))],
    [
      'a pod in a foreign network, with an escaped name',
      () => podIn(json(foreign).replace('vpc-', String.raw`vp\u0063-`)),
    ],
    [
      'a pod with a foreign network as its default network',
      () => podWith({ 'v1.multus-cni.io/default-network': foreign }),
    ],
    ['a VM in a network that Berth did not create', () => vmIn('kube-system/uplink')],
    [
      'a pod in such a network, as JSON',
      () => podIn('[{"name": "uplink", "Namespace" : "kube-system"}]'),
    ],
    ['a pod in such a network, by name', () => podIn('kube-system/uplink')],
  ])('the cluster refuses %s', async (_what, send) => {
    const { status, body } = await send()
    expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'Forbidden' })
    expect(body.message).toContain("ValidatingAdmissionPolicy 'berth-")
  })

  test('the cluster accepts VMs and pods in the tenant’s own networks', async () => {
    const requests = [
      vmIn(own),
      vmiIn(own),
      podIn(json(own)),
      podIn(own),
      podIn(json(`${tenant.namespace}/mine`)),
      podIn('mine'),
      podWith({}),
    ]
    for (const { status, text } of await Promise.all(requests))
      expect([status, status === 201 ? '' : text]).toEqual([201, ''])
  })
})

test('a deleted policy binding is created again', async () => {
  for (const name of Object.values(attachmentPolicies)) {
    await world.cluster.call(`${admission}/validatingadmissionpolicybindings/${name}`, {
      method: 'DELETE',
    })
    await waitFor(async () => isBound(name), {
      timeoutMs: 5_000,
      what: `${name} to be bound again`,
    })
  }
})
