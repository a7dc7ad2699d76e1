/** The kinds of rows whose changes clients can hear of. */
export const changeKinds = [
  'api_key',
  'network',
  'operation',
  'role',
  'security_group',
  'service_offering',
  'snapshot_schedule',
  'ssh_key',
  'tenant',
  'user',
  'vm',
  'vm_snapshot',
  'vm_template',
  'volume',
  'volume_snapshot',
  'vpc',
] as const

declare module '../../engine/model/registry.ts' {
  interface ChangeKinds extends Record<(typeof changeKinds)[number], true> {}
}
