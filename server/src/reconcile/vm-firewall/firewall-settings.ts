import { createHash } from 'node:crypto'
import { type EgressBounds } from '../../domain/security-group/egress-bounds.ts'
import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'

/** The settings that firewalls of all VMs depend on, besides their security groups. */
export interface FirewallSettings {
  /** True when the cluster can filter traffic of networks other than the cluster network. */
  takesFilters: boolean
  bounds: EgressBounds
}

/**
 * Throws while the settings are unknown. Assumed ones would start the VM without its filters, or
 * with a way to the nodes.
 */
export function requireFirewallSettings(read: () => FirewallSettings | null): FirewallSettings {
  const settings = read()
  if (settings) return settings
  throw new Fault('cluster_unavailable', messageOf('capability.untold_now'), {
    retryAfterSeconds: 1,
  })
}

/** Increase this number when other policies follow from the same bounds. */
const revision = 1

const fingerprints = new WeakMap<EgressBounds, string>()

/** Returns a short text that changes with the bounds. A full pass asks once for every VM. */
export function fingerprintOf(bounds: EgressBounds): string {
  const known = fingerprints.get(bounds)
  if (known !== undefined) return known
  const text = createHash('sha256')
    .update(JSON.stringify([revision, bounds]))
    .digest('base64url')
    .slice(0, 22)
  fingerprints.set(bounds, text)
  return text
}

/**
 * Returns what a firewall was built from, for its row. It names the version of the policy, so that
 * a policy which an earlier build wrote later does not count as built from these bounds.
 */
export const builtFromWith = (fingerprint: string, version: string): string =>
  `${fingerprint} ${version}`
