import { checkedName, labels } from '../../engine/kube/refs.ts'
import {
  type GuardedPods,
  type TrafficRule,
  type WantedMultiNetworkPolicy,
  type WantedNetwork,
  type WantedNetworkPolicy,
} from '../desired/network.ts'
import { type Content, type ContentPlace, maybe } from '../../engine/kube/manifest.ts'
import { type NetworkDriver } from '../../domain/network/driver.ts'
import { providerOf } from './manifest-subnet.ts'

/** Nothing checks this text before a VM starts with it, so it is built from typed parts only. */
export const networkContent = (network: WantedNetwork, place: ContentPlace): Content => ({
  spec: { config: JSON.stringify(configOf(network, place)) },
})

type NetworkPlace = Omit<ContentPlace, 'namespace'> & { namespace?: string }

const configOf = (network: WantedNetwork, place: NetworkPlace): Content =>
  configs[network.driver](network, place)

/** The CNI configuration of each driver. */
const configs: Readonly<
  Record<NetworkDriver, (network: WantedNetwork, place: NetworkPlace) => Content>
> = {
  'bridge-vlan': ({ tagged, mtu }, { name }) => ({
    cniVersion: '0.3.1',
    name,
    type: 'bridge',
    bridge: tagged?.bridge,
    ...maybe('vlan', tagged?.segment ?? null),
    mtu,
    // A guest sends under its own address only.
    macspoofchk: true,
    disableContainerInterface: true,
    ipam: {},
  }),
  'ovn-layer2': ({ mtu }, { namespace = '', name, owner }) => ({
    cniVersion: '1.0.0',
    // The switch's identity in the whole cluster: two networks of one name would be the same
    // network, whoever owns them.
    name: `berth-${checkedName(owner.rowId)}`,
    type: 'ovn-k8s-cni-overlay',
    topology: 'layer2',
    netAttachDefName: `${namespace}/${name}`,
    mtu,
  }),
  'kube-ovn': ({ mtu }, { namespace = '', name }) => ({
    cniVersion: '0.3.1',
    name,
    type: 'kube-ovn',
    server_socket: '/run/openvswitch/kube-ovn-daemon.sock',
    provider: providerOf({ namespace, name }),
    mtu,
  }),
}

export const networkPolicyContent = ({ pods, ingress, egress }: WantedNetworkPolicy): Content => ({
  spec: {
    podSelector: selectorOf(pods),
    policyTypes: egress === null ? ['Ingress'] : ['Ingress', 'Egress'],
    ingress: ingress.map((rule) => ruleOf('from', rule)),
    ...maybe(
      'egress',
      egress?.map((rule) => ruleOf('to', rule)),
    ),
  },
})

export const networksOfPolicy = ({
  networks,
}: WantedMultiNetworkPolicy): Record<string, string> => ({
  'k8s.v1.cni.cncf.io/policy-for': networks
    .map(({ namespace, name }) => `${checkedName(namespace)}/${checkedName(name)}`)
    .join(','),
})

/** On every pod of CDI's. */
const fillerLabel = 'cdi.kubevirt.io'

function selectorOf(pods: GuardedPods): Content {
  if (pods.kind === 'allButFillers')
    return { matchExpressions: [{ key: fillerLabel, operator: 'DoesNotExist' }] }
  return {
    matchLabels:
      pods.kind === 'vm'
        ? { [labels.rowId]: checkedName(pods.rowId) }
        : { [fillerLabel]: 'importer' },
  }
}

const ruleOf = (side: 'from' | 'to', { peer, ports }: TrafficRule): Content => ({
  ...maybe(side, peer.kind === 'anyone' ? null : peersOf(peer)),
  ...maybe(
    'ports',
    ports.length === 0
      ? null
      : ports.map(({ protocol, from, to }) => ({
          protocol,
          port: from,
          ...(to > from ? { endPort: to } : {}),
        })),
  ),
})

const peersOf = (peer: Exclude<TrafficRule['peer'], { kind: 'anyone' }>): Content[] =>
  peer.kind === 'addresses'
    ? peer.addresses.map((address) => ({ ipBlock: { cidr: `${address}/32` } }))
    : [peerOf(peer)]

function peerOf(peer: Exclude<TrafficRule['peer'], { kind: 'anyone' | 'addresses' }>): Content {
  if (peer.kind === 'sameNamespace') return { podSelector: {} }
  if (peer.kind === 'range')
    return {
      ipBlock: {
        cidr: peer.cidr,
        ...maybe('except', peer.except.length === 0 ? null : peer.except),
      },
    }
  if (peer.kind === 'vms')
    return {
      podSelector: {
        matchExpressions: [
          { key: labels.rowId, operator: 'In', values: peer.rowIds.map(checkedName) },
        ],
      },
    }
  return {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': checkedName(peer.name) } },
  }
}
