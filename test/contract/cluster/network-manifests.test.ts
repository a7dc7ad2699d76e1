import { expect, test } from 'vitest'
import { manifestOf } from '../../../server/src/cluster/objects.ts'
import { type DesiredObject } from '../../../server/src/cluster/desired/desired.ts'
import { attachmentPolicyApplier } from '../../../server/src/reconcile/cluster/attachment-policies.ts'
import { type Json } from '../../support/json.ts'
import { id, sent, desiredObjectsOf } from '../../support/cluster/desired-manifests.ts'
import { fc } from '../../support/property-testing.ts'
import policiesAsWritten from '../golden/attachment-policies.json' with { type: 'json' }
import filterAsWritten from '../golden/network-filter.json' with { type: 'json' }
import hostBridgeAsWritten from '../golden/host-bridge.json' with { type: 'json' }
import sshAsWritten from '../golden/ssh.json' with { type: 'json' }
import subnetAsWritten from '../golden/subnet.json' with { type: 'json' }

test('the admission policies match their golden file, and only the ID of the shared tenant varies', async () => {
  const written: Record<string, Json> = {}
  const observed = {
    namespace: '',
    name: '',
    uid: 'u',
    version: '1',
    generation: 1,
    tenantId: id,
    rowId: id,
    isDeleting: false,
  }
  const uids = new Set<string | null>()
  const put = attachmentPolicyApplier({
    applyObject: (object) => {
      uids.add(object.uid)
      written[`${object.noun} ${object.name}`] = JSON.parse(
        JSON.stringify(manifestOf(object).content),
      )
      return Promise.resolve(observed)
    },
  })
  await put()
  expect(written).toEqual(policiesAsWritten)
  expect([...uids]).toEqual([null])
  // The second apply sends the known uid, which is one call instead of three.
  await put()
  expect([...uids]).toEqual([null, 'u'])
  const shape = (as: Json): string =>
    JSON.stringify(sent({ ...named, spec: as })).replaceAll(as.sharedTenantId ?? id, id)
  const named = {
    noun: 'admissionPolicy',
    namespace: null,
    name: 'a',
    tenantId: id,
    rowId: id,
    uid: null,
  } as const
  fc.assert(
    fc.property(fc.uuid(), (sharedTenantId) => {
      const as = { refuses: 'foreignAttachments' as const }
      expect(shape({ ...as, sharedTenantId })).toBe(shape({ ...as, sharedTenantId: id }))
    }),
  )
  const odd = fc
    .string({ unit: 'binary' })
    .filter((text) => !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text))
  fc.assert(
    fc.property(odd, (sharedTenantId) => {
      expect(() => shape({ refuses: 'foreignAttachments', sharedTenantId })).toThrow(
        'is not a valid name in the cluster',
      )
    }),
  )
})

test.each(sshAsWritten)(
  'the manifest for SSH matches its golden file: $noun of $desired',
  ({ noun, desired, content, labels }) => {
    // Each row of the file has the shape of its type: a service or an endpoint slice.
    const [of, spec] = [noun as 'service', desired as DesiredObject<'service'>['spec']]
    const object = {
      noun: of,
      namespace: 'acme',
      name: 'vm-a-ssh',
      tenantId: id,
      rowId: id,
      uid: null,
      spec,
    }
    expect([sent(object), manifestOf(object).labels]).toEqual([content, labels])
  },
)

test('a Kube-OVN subnet matches its golden file, and its attachment and VMs refer to it', () => {
  const ids = { tenantId: id, rowId: id, uid: null }
  const as = {
    router: 'vpc-a',
    cidr: '10.1.2.0/24',
    gateway: '10.1.2.1',
    attachment: { namespace: 'vpc-a', name: 'net-b' },
    mtu: 1400,
  }
  expect(sent({ noun: 'subnet', namespace: null, name: 'net-b', ...ids, spec: as })).toEqual(
    subnetAsWritten.subnet,
  )
  expect(
    sent({
      noun: 'router',
      namespace: null,
      name: 'vpc-a',
      ...ids,
      spec: { hasExternalRoute: false },
    }),
  ).toEqual(subnetAsWritten.router)
  fc.assert(
    fc.property(desiredObjectsOf('subnet'), (desired) => {
      const { spec } = sent(desired)
      const { cidr, gateway, router, mtu, attachment } = desired.spec
      const expected = { cidrBlock: cidr, gateway, vpc: router, mtu, excludeIps: [gateway] }
      expect(spec).toEqual({
        ...subnetAsWritten.subnet.spec,
        ...expected,
        provider: `${attachment.name}.${attachment.namespace}.ovn`,
      })
    }),
  )
  fc.assert(
    fc.property(desiredObjectsOf('vm'), ({ spec: vm, ...rest }) => {
      const { metadata } = sent({ ...rest, spec: vm }).spec.template
      const annotations = vm.nics.flatMap(({ network, mac, pinned }) => {
        const prefix = network && `${network.name}.${network.namespace}.ovn.kubernetes.io`
        return prefix && pinned !== undefined
          ? [[`${prefix}/ip_address`, pinned] as const, [`${prefix}/mac_address`, mac] as const]
          : []
      })
      expect(metadata.annotations ?? {}).toEqual(Object.fromEntries(annotations))
    }),
  )
})

test("the bridge over an uplink matches its golden file, and only the operator's settings vary", () => {
  const bridge = {
    noun: 'hostBridge',
    namespace: null,
    name: 'berth-public-network',
    tenantId: id,
    rowId: id,
    uid: null,
  } as const
  const manifestWith = (as: { bridge: string; uplink: string; mtu: number }): Json =>
    sent({ ...bridge, spec: as })
  expect(manifestWith({ bridge: 'br-public', uplink: 'eth1', mtu: 1500 })).toEqual(
    hostBridgeAsWritten,
  )
  fc.assert(
    fc.property(desiredObjectsOf('hostBridge'), ({ spec: as }) => {
      const { spec } = manifestWith(as)
      const [made] = spec.desiredState.interfaces
      expect([made.name, made.bridge.port, made.mtu]).toEqual([
        as.bridge,
        [{ name: as.uplink }],
        as.mtu,
      ])
      const usual = {
        ...made,
        name: 'br-public',
        mtu: 1500,
        bridge: { ...made.bridge, port: [{ name: 'eth1' }] },
      }
      expect({ spec: { desiredState: { interfaces: [usual] } } }).toEqual(hostBridgeAsWritten)
    }),
  )
})

test("a MultiNetworkPolicy names its networks, is owned by the VM's policy, and filters like it", () => {
  const spec = {
    pods: { kind: 'vm' as const, rowId: id },
    ingress: [
      {
        peer: { kind: 'addresses' as const, addresses: ['10.1.2.3', '10.1.2.4'] },
        ports: [{ protocol: 'TCP' as const, from: 22, to: 22 }],
      },
    ],
    egress: [],
    networks: [
      { namespace: 'vpc-a', name: 'net-b' },
      { namespace: 'vpc-a', name: 'net-c' },
    ],
    ownedBy: { name: 'vm-guard', uid: 'u' },
  }
  const desired = {
    noun: 'multiNetworkPolicy' as const,
    namespace: 'berth-acme',
    name: 'vm-guard',
    tenantId: id,
    rowId: id,
    uid: null,
    spec,
  }
  const { content, annotations, owners } = JSON.parse(JSON.stringify(manifestOf(desired)))
  expect({ annotations, owners, ...content }).toEqual(filterAsWritten)
  fc.assert(
    fc.property(desiredObjectsOf('multiNetworkPolicy'), (any) => {
      const { networks, ownedBy: _owner, ...policy } = any.spec
      expect(sent(any)).toEqual(sent({ ...any, noun: 'networkPolicy', spec: policy }))
      expect(manifestOf(any).annotations).toEqual({
        'k8s.v1.cni.cncf.io/policy-for': networks
          .map(({ namespace, name: called }) => `${namespace}/${called}`)
          .join(),
      })
    }),
  )
})
