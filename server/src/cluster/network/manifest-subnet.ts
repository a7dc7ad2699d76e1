import { checkedName } from '../../engine/kube/refs.ts'
import { type WantedRouter, type WantedSubnet } from '../desired/network.ts'
import { type WantedNic } from '../desired/vm.ts'
import { type Content } from '../../engine/kube/manifest.ts'

/** How Kube-OVN finds the subnet of an attachment: both say this. */
export const providerOf = ({ namespace, name }: { namespace: string; name: string }): string =>
  `${name}.${namespace}.ovn`

export const routerContent = ({ leadsOut }: WantedRouter): Content => ({
  spec: { enableExternal: leadsOut },
})

export const subnetContent = ({
  router,
  cidr,
  gateway,
  attachment: { namespace, name },
  mtu,
}: WantedSubnet): Content => ({
  spec: {
    vpc: checkedName(router),
    protocol: 'IPv4',
    cidrBlock: cidr,
    gateway,
    // Addresses are Berth's to give: a NIC says which one it has, and no other is given at random
    // but what is left.
    excludeIps: [gateway],
    enableDHCP: false,
    provider: providerOf({ namespace: checkedName(namespace), name: checkedName(name) }),
    mtu,
    natOutgoing: false,
    // Its router would lead into the VPC's other networks: a network of any driver is for those who
    // are in it.
    private: true,
    // The gateway is the router, which answers nobody on a node.
    disableGatewayCheck: true,
  },
})

/**
 * What the pod of a VM says of a NIC whose network has addresses of its own: the very ones that its
 * row has.
 */
export const addressNotes = ({ network, mac, pinned }: WantedNic): Record<string, string> =>
  network === null || pinned === undefined
    ? {}
    : {
        [`${providerNote(network)}/ip_address`]: pinned,
        [`${providerNote(network)}/mac_address`]: mac,
      }

const providerNote = ({ namespace, name }: { namespace: string; name: string }): string =>
  `${providerOf({ namespace: checkedName(namespace), name: checkedName(name) })}.kubernetes.io`
