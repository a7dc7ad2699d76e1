import { checkedName } from '../../engine/kube/refs.ts'
import { type DesiredRouter, type DesiredSubnet } from '../desired/network.ts'
import { type DesiredNic } from '../desired/vm.ts'
import { type Content } from '../../engine/kube/content/manifest.ts'

/**
 * The provider name, by which Kube-OVN finds the subnet of an attachment. Both objects contain it.
 */
export const providerOf = ({ namespace, name }: { namespace: string; name: string }): string =>
  `${name}.${namespace}.ovn`

/** Builds the Kube-OVN Vpc, which is the router of one VPC. */
export const routerContent = ({ hasExternalRoute }: DesiredRouter): Content => ({
  spec: { enableExternal: hasExternalRoute },
})

/** Builds the Kube-OVN Subnet of one network. */
export const subnetContent = ({
  router,
  cidr,
  gateway,
  attachment: { namespace, name },
  mtu,
}: DesiredSubnet): Content => ({
  spec: {
    vpc: checkedName(router),
    protocol: 'IPv4',
    cidrBlock: cidr,
    gateway,
    // Berth assigns addresses, and each NIC declares its own. Kube-OVN may assign any other except
    // the gateway.
    excludeIps: [gateway],
    enableDHCP: false,
    provider: providerOf({ namespace: checkedName(namespace), name: checkedName(name) }),
    mtu,
    natOutgoing: false,
    // Isolates the subnet: its router would otherwise lead into the VPC's other networks.
    private: true,
    // The gateway is the router, which does not answer a check from a node.
    disableGatewayCheck: true,
  },
})

/**
 * Returns the pod annotations that pin the addresses of a NIC in a network that assigns addresses
 * itself.
 */
export const addressAnnotations = ({ network, mac, pinned }: DesiredNic): Record<string, string> =>
  network === null || pinned === undefined
    ? {}
    : {
        [`${providerAnnotation(network)}/ip_address`]: pinned,
        [`${providerAnnotation(network)}/mac_address`]: mac,
      }

const providerAnnotation = ({ namespace, name }: { namespace: string; name: string }): string =>
  `${providerOf({ namespace: checkedName(namespace), name: checkedName(name) })}.kubernetes.io`
