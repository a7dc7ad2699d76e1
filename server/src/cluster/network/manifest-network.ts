import { checkedName, labels } from '../../engine/kube/refs.ts'
import {
  type SelectedPods,
  type TrafficRule,
  type DesiredMultiNetworkPolicy,
  type DesiredNetwork,
  type DesiredNetworkPolicy,
} from '../desired/network.ts'
import {
  type Content,
  type ContentTarget,
  optionalField,
} from '../../engine/kube/content/manifest.ts'
import { type NetworkDriver } from '../../domain/network/driver.ts'
import { providerOf } from './manifest-subnet.ts'

/**
 * Builds the NetworkAttachmentDefinition of a private network. No component validates its text
 * before a VM starts with it, so it is built from typed parts only.
 */
export const networkContent = (network: DesiredNetwork, target: ContentTarget): Content => ({
  spec: { config: JSON.stringify(configOf(network, target)) },
})

type NetworkTarget = Omit<ContentTarget, 'namespace'> & { namespace?: string }

const configOf = (network: DesiredNetwork, target: NetworkTarget): Content =>
  configs[network.driver](network, target)

/** The CNI configuration of each driver. */
const configs: Readonly<
  Record<NetworkDriver, (network: DesiredNetwork, target: NetworkTarget) => Content>
> = {
  'bridge-vlan': ({ tagged, mtu }, { name }) => ({
    cniVersion: '0.3.1',
    name,
    type: 'bridge',
    bridge: tagged?.bridge,
    ...optionalField('vlan', tagged?.segment ?? null),
    mtu,
    // A guest can send only from its own MAC address.
    macspoofchk: true,
    disableContainerInterface: true,
    ipam: {},
  }),
  'ovn-layer2': ({ mtu }, { namespace = '', name, owner }) => ({
    cniVersion: '1.0.0',
    // The identity of the switch in the whole cluster. Two networks of one name would be the same
    // network, even for different owners.
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

export const networkPolicyContent = ({ pods, ingress, egress }: DesiredNetworkPolicy): Content => ({
  spec: {
    podSelector: selectorOf(pods),
    policyTypes: egress === null ? ['Ingress'] : ['Ingress', 'Egress'],
    ingress: ingress.map((rule) => ruleOf('from', rule)),
    ...optionalField(
      'egress',
      egress?.map((rule) => ruleOf('to', rule)),
    ),
  },
})

export const networksOfPolicy = ({
  networks,
}: DesiredMultiNetworkPolicy): Record<string, string> => ({
  'k8s.v1.cni.cncf.io/policy-for': networks
    .map(({ namespace, name }) => `${checkedName(namespace)}/${checkedName(name)}`)
    .join(','),
})

/** A label on every pod of CDI. */
const fillerLabel = 'cdi.kubevirt.io'

function selectorOf(pods: SelectedPods): Content {
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
  ...optionalField(side, peer.kind === 'anyone' ? null : peersOf(peer)),
  ...optionalField(
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
        ...optionalField('except', peer.except.length === 0 ? null : peer.except),
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
