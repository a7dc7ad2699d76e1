import { type ComponentName } from '../components.ts'
import { type Resource } from '../objects/resource.ts'
import { custom } from './row.ts'
import { schemas } from './core-schemas.ts'
import * as words from '../objects/schema.ts'

const { anything, flag, int, listBy, object, structOf, text, texts } = words
const kubeOvn = { group: 'kubeovn.io', version: 'v1', namespaced: false, status: true } as const

const condition = structOf(
  text,
  'type',
  'status',
  'reason',
  'message',
  'lastUpdateTime',
  'lastTransitionTime',
)

const vpc = object({
  spec: object({
    defaultSubnet: text,
    namespaces: texts,
    enableExternal: flag,
    enableBfd: flag,
    staticRoutes: words.list(
      structOf(text, 'policy', 'cidr', 'nextHopIP', 'ecmpMode', 'bfdId', 'routeTable'),
    ),
    policyRoutes: words.list(anything),
    vpcPeerings: words.list(structOf(text, 'remoteVpc', 'localConnectIP')),
  }),
  status: anything,
})

const subnet = object({
  spec: object({
    ...words.each(
      text,
      'vpc',
      'protocol',
      'cidrBlock',
      'gateway',
      'gatewayType',
      'gatewayNode',
      'provider',
      'vlan',
      'externalEgressGateway',
    ),
    ...words.each(
      flag,
      'default',
      'natOutgoing',
      'private',
      'disableGatewayCheck',
      'disableInterConnection',
      'logicalGateway',
    ),
    ...words.each(
      flag,
      'enableDHCP',
      'enableIPv6RA',
      'enableLb',
      'enableMulticastSnoop',
      'u2oInterconnection',
    ),
    ...words.each(text, 'dhcpV4Options', 'dhcpV6Options', 'ipv6RAConfigs', 'routeTable'),
    ...words.each(texts, 'namespaces', 'excludeIps', 'allowSubnets', 'vips'),
    mtu: int,
    acls: words.list(object({ direction: text, priority: int, match: text, action: text })),
  }),
  status: object({
    conditions: listBy(['type'], condition),
    ...words.each(
      { type: 'number' },
      'v4availableIPs',
      'v4usingIPs',
      'v6availableIPs',
      'v6usingIPs',
    ),
  }),
})

/**
 * Interfaces are described by the library that sets them up; the kinds keep whatever it may
 * understand.
 */
const desired = object({
  interfaces: words.list(anything),
  routes: anything,
  'dns-resolver': anything,
})

const hostPolicy = object({
  spec: object({
    nodeSelector: words.textMap,
    maxUnavailable: words.intOrText,
    capture: words.textMap,
    desiredState: desired,
  }),
  status: object({
    conditions: words.list(
      structOf(
        text,
        'type',
        'status',
        'reason',
        'message',
        'lastHeartbeatTime',
        'lastTransitionTime',
      ),
    ),
    unavailableNodeCount: int,
    unavailableNodeCountMap: anything,
    lastUnavailableNodeCountUpdate: text,
  }),
})

const hostState = object({
  status: object({
    currentState: anything,
    lastSuccessfulUpdateTime: text,
    handlerNmstateVersion: text,
  }),
})
const nmstate = { group: 'nmstate.io', namespaced: false, status: true } as const

/** The kinds that components bring which not every cluster has. */
export const componentKinds: Readonly<Record<ComponentName, readonly Resource[]>> = {
  'kube-ovn': [
    custom({ ...kubeOvn, plural: 'vpcs', kind: 'Vpc', schema: vpc }),
    custom({
      ...kubeOvn,
      plural: 'subnets',
      kind: 'Subnet',
      shortNames: ['subnet'],
      schema: subnet,
    }),
  ],
  nmstate: [
    custom({
      ...nmstate,
      version: 'v1',
      plural: 'nodenetworkconfigurationpolicies',
      kind: 'NodeNetworkConfigurationPolicy',
      shortNames: ['nncp'],
      schema: hostPolicy,
    }),
    custom({
      ...nmstate,
      version: 'v1beta1',
      plural: 'nodenetworkstates',
      kind: 'NodeNetworkState',
      shortNames: ['nns'],
      schema: hostState,
    }),
  ],
  'ovn-kubernetes': [
    custom({
      group: 'k8s.ovn.org',
      version: 'v1',
      plural: 'userdefinednetworks',
      kind: 'UserDefinedNetwork',
      status: true,
    }),
  ],
  'multi-network-policy': [
    custom({
      group: 'k8s.cni.cncf.io',
      version: 'v1beta1',
      plural: 'multi-networkpolicies',
      singular: 'multi-networkpolicy',
      kind: 'MultiNetworkPolicy',
      shortNames: ['multi-policy'],
      schema: schemas.networkPolicy,
    }),
  ],
}
