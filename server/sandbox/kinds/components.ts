import { type ComponentName } from '../components.ts'
import { type Resource } from '../objects/resource.ts'
import { custom } from './row.ts'
import { schemas } from './core-schemas.ts'
import * as schemaTypes from '../objects/schema.ts'

const { anything, flag, int, listBy, object, structOf, text, texts } = schemaTypes
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
    staticRoutes: schemaTypes.list(
      structOf(text, 'policy', 'cidr', 'nextHopIP', 'ecmpMode', 'bfdId', 'routeTable'),
    ),
    policyRoutes: schemaTypes.list(anything),
    vpcPeerings: schemaTypes.list(structOf(text, 'remoteVpc', 'localConnectIP')),
  }),
  status: anything,
})

const subnet = object({
  spec: object({
    ...schemaTypes.each(
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
    ...schemaTypes.each(
      flag,
      'default',
      'natOutgoing',
      'private',
      'disableGatewayCheck',
      'disableInterConnection',
      'logicalGateway',
    ),
    ...schemaTypes.each(
      flag,
      'enableDHCP',
      'enableIPv6RA',
      'enableLb',
      'enableMulticastSnoop',
      'u2oInterconnection',
    ),
    ...schemaTypes.each(text, 'dhcpV4Options', 'dhcpV6Options', 'ipv6RAConfigs', 'routeTable'),
    ...schemaTypes.each(texts, 'namespaces', 'excludeIps', 'allowSubnets', 'vips'),
    mtu: int,
    acls: schemaTypes.list(object({ direction: text, priority: int, match: text, action: text })),
  }),
  status: object({
    conditions: listBy(['type'], condition),
    ...schemaTypes.each(
      { type: 'number' },
      'v4availableIPs',
      'v4usingIPs',
      'v6availableIPs',
      'v6usingIPs',
    ),
  }),
})

/** The nmstate library defines the fields of interfaces, so the schema leaves them open. */
const desired = object({
  interfaces: schemaTypes.list(anything),
  routes: anything,
  'dns-resolver': anything,
})

const hostPolicy = object({
  spec: object({
    nodeSelector: schemaTypes.textMap,
    maxUnavailable: schemaTypes.intOrText,
    capture: schemaTypes.textMap,
    desiredState: desired,
  }),
  status: object({
    conditions: schemaTypes.list(
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

/** The kinds that optional components of a cluster install. */
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
