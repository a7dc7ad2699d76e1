import { type WireState } from '../vm/wire-state.ts'

export const healths = ['ok', 'warning', 'critical'] as const
export type Health = (typeof healths)[number]

/** How many there are of what a tenant has. */
export interface TenantCounts {
  vms: number
  vmsRunning: number
  vmsFailed: number
  /** On their way up or down. */
  vmsChanging: number
  vpcs: number
  networks: number
  volumes: number
  securityGroups: number
}

/** The states that make a VM count as one that runs, has failed or changes. */
export const countedAs = {
  running: ['Running'],
  failed: ['Error'],
  changing: ['Starting', 'Stopping'],
} as const satisfies Record<string, readonly WireState[]>

/** The worst that can be said of a tenant's machines. */
export function healthOf({
  vmsFailed,
  vmsChanging,
}: Pick<TenantCounts, 'vmsFailed' | 'vmsChanging'>): Health {
  if (vmsFailed > 0) return 'critical'
  return vmsChanging > 0 ? 'warning' : 'ok'
}
