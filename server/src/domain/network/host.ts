import { someOf } from '../../engine/model/some-of.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export interface HostInterface {
  name: string
  /** The bridge or bond that it is in. */
  controller: string | null
  /** What it is a part of, as a tagged one is. */
  base: string | null
  addresses: readonly string[]
  /** What is in it, of a bridge. */
  ports: readonly string[]
}

/** The network of one host of the cluster, as far as it tells. */
export interface SeenHost {
  name: string
  /** By which the cluster reaches it. */
  addresses: readonly string[]
  /** The interfaces that its own default routes take. */
  waysOut: readonly string[]
  interfaces: readonly HostInterface[]
}

/**
 * The bridge that VMs with a public address are on, and the interface of each host that leads out
 * of it.
 */
export interface UplinkBridge {
  bridge: string
  uplink: string
}

/** How far the hosts are with it, in the words of whoever sets them up. */
export interface SeenHostBridge {
  isAvailable: boolean
  isDegraded: boolean
}

/** What the hosts are told to have it. */
export const hostBridgeName = 'berth-public-network'

/** Why the uplink cannot be taken, in words without an end; null where it can. */
export function uplinkRefusal(
  hosts: readonly SeenHost[],
  { uplink }: Pick<UplinkBridge, 'uplink'>,
): Message | null {
  const reached = hosts.filter((host) => ownInterfaces(host).has(uplink)).map(({ name }) => name)
  if (reached.length === 0) return null
  return messageOf('network.uplink_reaches', {
    uplink,
    hosts: someOf(reached),
    n: reached.length,
  })
}

/**
 * All that the host itself depends on: what has its address or leads out, what that is made of, and
 * what is in that.
 */
function ownInterfaces({ addresses, waysOut, interfaces }: SeenHost): ReadonlySet<string> {
  const addressed = interfaces
    .filter((each) => each.addresses.some((address) => addresses.includes(address)))
    .map(({ name }) => name)
  const own = new Set([...waysOut, ...addressed])
  // What is added is gone through as well: a set is walked in the order in which it grows.
  for (const name of own)
    for (const each of interfaces) {
      if (each.controller === name) own.add(each.name)
      if (each.name === name && each.base !== null) own.add(each.base)
    }
  return own
}

/** The hosts that do not have the bridge with the uplink in it. */
export const hostsWithout = (
  hosts: readonly SeenHost[],
  { bridge, uplink }: UplinkBridge,
): string[] =>
  hosts
    .filter(
      ({ interfaces }) =>
        !interfaces.some(({ name, ports }) => name === bridge && ports.includes(uplink)),
    )
    .map(({ name }) => name)
