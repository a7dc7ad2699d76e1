import { expect, test } from 'vitest'
import { manifestOf } from '../../../server/src/cluster/objects-of-nouns.ts'
import { type WantedObject } from '../../../server/src/cluster/desired/desired.ts'
import { attachmentPoliciesIn } from '../../../server/src/reconcile/cluster/attachment-policies.ts'
import { type Json } from '../../support/json.ts'
import { id, sent, wishes } from '../../support/cluster/desired-manifests.ts'
import { fc } from '../../support/property-testing.ts'
import policiesAsWritten from '../golden/attachment-policies.json' with { type: 'json' }
import filterAsWritten from '../golden/network-filter.json' with { type: 'json' }
import hostBridgeAsWritten from '../golden/host-bridge.json' with { type: 'json' }
import networksAsWritten from '../golden/networks.json' with { type: 'json' }
import sshAsWritten from '../golden/ssh.json' with { type: 'json' }
import subnetAsWritten from '../golden/subnet.json' with { type: 'json' }

test.each(networksAsWritten)(
  'a network of the driver $wish.driver is written exactly as on file',
  ({ wish, config }) => {
    // The file says what the type does: one wish of each driver.
    const as = wish as WantedObject<'network'>['as']
    const wanted = {
      noun: 'network' as const,
      namespace: 'vpc-a',
      name: 'net-b',
      tenantId: id,
      rowId: id,
      uid: null,
      as,
    }
    expect(sent(wanted)).toEqual({ spec: { config } })
  },
)

test('what the cluster refuses of networks is written exactly as on file, and nothing but an id of ours changes in it', async () => {
  const written: Record<string, Json> = {}
  const seen = {
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
  const put = attachmentPoliciesIn({
    applyObject: (wanted) => {
      uids.add(wanted.uid)
      written[`${wanted.noun} ${wanted.name}`] = JSON.parse(
        JSON.stringify(manifestOf(wanted).content),
      )
      return Promise.resolve(seen)
    },
  })
  await put()
  expect(written).toEqual(policiesAsWritten)
  expect([...uids]).toEqual([null])
  // Looked up by name once: what is known is named, which is one call instead of three.
  await put()
  expect([...uids]).toEqual([null, 'u'])
  const shape = (as: Json): string =>
    JSON.stringify(sent({ ...named, as })).replaceAll(as.sharedTenantId ?? id, id)
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
        'is not a name that the cluster takes',
      )
    }),
  )
})

test.each(sshAsWritten)(
  'what leads to SSH is written exactly as on file: $noun of $wish',
  ({ noun, wish, content, labels }) => {
    // The file says what the types do: a service and an endpoint slice.
    const [of, as] = [noun as 'service', wish as WantedObject<'service'>['as']]
    const wanted = {
      noun: of,
      namespace: 'acme',
      name: 'vm-a-ssh',
      tenantId: id,
      rowId: id,
      uid: null,
      as,
    }
    expect([sent(wanted), manifestOf(wanted).labels]).toEqual([content, labels])
  },
)

test('a subnet of Kube-OVN is written exactly as on file, its attachment and the VMs in it speak of it, and nothing else changes its shape', () => {
  const place = { tenantId: id, rowId: id, uid: null }
  const as = {
    router: 'vpc-a',
    cidr: '10.1.2.0/24',
    gateway: '10.1.2.1',
    attachment: { namespace: 'vpc-a', name: 'net-b' },
    mtu: 1400,
  }
  expect(sent({ noun: 'subnet', namespace: null, name: 'net-b', ...place, as })).toEqual(
    subnetAsWritten.subnet,
  )
  expect(
    sent({ noun: 'router', namespace: null, name: 'vpc-a', ...place, as: { leadsOut: false } }),
  ).toEqual(subnetAsWritten.router)
  fc.assert(
    fc.property(wishes('subnet'), (wanted) => {
      const { spec } = sent(wanted)
      const { cidr, gateway, router, mtu, attachment } = wanted.as
      const said = { cidrBlock: cidr, gateway, vpc: router, mtu, excludeIps: [gateway] }
      expect(spec).toEqual({
        ...subnetAsWritten.subnet.spec,
        ...said,
        provider: `${attachment.name}.${attachment.namespace}.ovn`,
      })
    }),
  )
  fc.assert(
    fc.property(wishes('vm'), ({ as: vm, ...rest }) => {
      const { metadata } = sent({ ...rest, as: vm }).spec.template
      const notes = vm.nics.flatMap(({ network, mac, pinned }) => {
        const about = network && `${network.name}.${network.namespace}.ovn.kubernetes.io`
        return about && pinned !== undefined
          ? [[`${about}/ip_address`, pinned] as const, [`${about}/mac_address`, mac] as const]
          : []
      })
      expect(metadata.annotations ?? {}).toEqual(Object.fromEntries(notes))
    }),
  )
})

test('the bridge over an uplink is told to hosts exactly as on file, and only what an operator named changes in it', () => {
  const place = {
    noun: 'hostBridge',
    namespace: null,
    name: 'berth-public-network',
    tenantId: id,
    rowId: id,
    uid: null,
  } as const
  const told = (as: { bridge: string; uplink: string; mtu: number }): Json => sent({ ...place, as })
  expect(told({ bridge: 'br-public', uplink: 'eth1', mtu: 1500 })).toEqual(hostBridgeAsWritten)
  fc.assert(
    fc.property(wishes('hostBridge'), ({ as }) => {
      const { spec } = told(as)
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

test('a filter for other networks names them, is of the VM’s policy, and filters as that does', () => {
  const as = {
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
  const wanted = {
    noun: 'multiNetworkPolicy' as const,
    namespace: 'berth-acme',
    name: 'vm-guard',
    tenantId: id,
    rowId: id,
    uid: null,
    as,
  }
  const { content, annotations, owners } = JSON.parse(JSON.stringify(manifestOf(wanted)))
  expect({ annotations, owners, ...content }).toEqual(filterAsWritten)
  fc.assert(
    fc.property(wishes('multiNetworkPolicy'), (any) => {
      const { networks, ownedBy: _owner, ...policy } = any.as
      expect(sent(any)).toEqual(sent({ ...any, noun: 'networkPolicy', as: policy }))
      expect(manifestOf(any).annotations).toEqual({
        'k8s.v1.cni.cncf.io/policy-for': networks
          .map(({ namespace, name: called }) => `${namespace}/${called}`)
          .join(),
      })
    }),
  )
})

test('a network’s text is the JSON that its plugin reads, and names no other namespace', () => {
  fc.assert(
    fc.property(wishes('network'), (wanted) => {
      const config: Json = JSON.parse(sent(wanted).spec.config)
      const { name: called, namespace } = wanted
      if (config.type === 'bridge')
        expect(config).toMatchObject({ name: called, macspoofchk: true, ipam: {} })
      else if (config.type === 'kube-ovn')
        expect(config.provider).toBe(`${called}.${namespace}.ovn`)
      else
        expect(config).toMatchObject({
          name: `berth-${id}`,
          netAttachDefName: `${namespace}/${called}`,
          topology: 'layer2',
        })
    }),
  )
})
