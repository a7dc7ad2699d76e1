import { abbreviatedList } from '../../engine/model/abbreviated-list.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export interface NodeInterface {
  name: string
  /** The bridge or bond that the interface is a port of. */
  controller: string | null
  /** The base interface of a VLAN interface. */
  base: string | null
  addresses: readonly string[]
  /** The ports of a bridge. */
  ports: readonly string[]
}

/** The observed network configuration of a node. */
export interface ObservedNode {
  name: string
  /** The addresses by which the cluster reaches the node. */
  addresses: readonly string[]
  /** The interfaces of the node's default routes. */
  defaultRouteInterfaces: readonly string[]
  interfaces: readonly NodeInterface[]
}

/** The bridge for VMs with a public address, and the interface of each node that is its uplink. */
export interface UplinkBridge {
  bridge: string
  uplink: string
}

/** The state of the bridge setup, as reported by NMState. */
export interface ObservedNodeBridge {
  isAvailable: boolean
  isDegraded: boolean
}

/** The name of the object that configures the bridge on the nodes. */
export const nodeBridgeName = 'berth-public-network'

/** Returns why the uplink cannot be used, as a clause without full stop, or null when it can. */
export function uplinkRefusal(
  nodes: readonly ObservedNode[],
  { uplink }: Pick<UplinkBridge, 'uplink'>,
): Message | null {
  const dependent = nodes.filter((node) => ownInterfaces(node).has(uplink)).map(({ name }) => name)
  if (dependent.length === 0) return null
  return messageOf('network.uplink_reaches', {
    uplink,
    hosts: abbreviatedList(dependent),
    n: dependent.length,
  })
}

/**
 * Returns the interfaces that the node depends on: those with its address or default route, their
 * base interfaces and their ports.
 */
function ownInterfaces({
  addresses,
  defaultRouteInterfaces,
  interfaces,
}: ObservedNode): ReadonlySet<string> {
  const addressed = interfaces
    .filter((each) => each.addresses.some((address) => addresses.includes(address)))
    .map(({ name }) => name)
  const own = new Set([...defaultRouteInterfaces, ...addressed])
  // The loop also visits names that it adds: a Set is iterated in insertion order.
  for (const name of own)
    for (const each of interfaces) {
      if (each.controller === name) own.add(each.name)
      if (each.name === name && each.base !== null) own.add(each.base)
    }
  return own
}

/** Returns the nodes on which the bridge or its uplink is missing. */
export const nodesWithout = (
  nodes: readonly ObservedNode[],
  { bridge, uplink }: UplinkBridge,
): string[] =>
  nodes
    .filter(
      ({ interfaces }) =>
        !interfaces.some(({ name, ports }) => name === bridge && ports.includes(uplink)),
    )
    .map(({ name }) => name)
