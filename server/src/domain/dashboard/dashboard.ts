import { type WireState } from '../vm/wire-state.ts'

export const healths = ['ok', 'warning', 'critical'] as const
export type Health = (typeof healths)[number]

/** How many resources of each kind a tenant has, for the first page of the console. */
export interface TenantCounts {
  vms: number
  vmsRunning: number
  vmsFailed: number
  /** VMs that are starting or stopping. */
  vmsChanging: number
  vpcs: number
  networks: number
  volumes: number
  securityGroups: number
}

/** The states that count as running, failed and changing. */
export const countedAs = {
  running: ['Running'],
  failed: ['Error'],
  changing: ['Starting', 'Stopping'],
} as const satisfies Record<string, readonly WireState[]>

/** Returns the worst health among a tenant's VMs. */
export function healthOf({
  vmsFailed,
  vmsChanging,
}: Pick<TenantCounts, 'vmsFailed' | 'vmsChanging'>): Health {
  if (vmsFailed > 0) return 'critical'
  return vmsChanging > 0 ? 'warning' : 'ok'
}
