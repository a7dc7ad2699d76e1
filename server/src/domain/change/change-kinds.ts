import { type Permission } from '../../engine/model/permission.ts'

/**
 * The kinds of rows whose changes clients can hear of, each with what a caller must hold to hear of
 * it: only callers who may read a row learn that it exists.
 */
export const changeKinds = {
  api_key: 'any',
  network: 'networks:read',
  operation: 'any',
  role: 'users:read',
  security_group: 'security_groups:read',
  service_offering: 'any',
  snapshot_schedule: 'vms:read',
  ssh_key: 'ssh_keys:read',
  tenant: 'any',
  user: 'users:read',
  vm: 'vms:read',
  vm_snapshot: 'vms:read',
  vm_template: 'vms:read',
  volume: 'volumes:read',
  volume_snapshot: 'volumes:read',
  vpc: 'vpcs:read',
} as const satisfies Record<string, Permission | 'any'>

// Object.keys gives strings; the table has no other keys than its kinds.
export const allChangeKinds = Object.keys(changeKinds) as readonly (keyof typeof changeKinds)[]

declare module '../../engine/model/registry.ts' {
  interface ChangeKinds extends Record<keyof typeof changeKinds, true> {}
}
