/** The console imports this file for its labels. */
export const quota = {
  'quota.exceeded':
    'The request exceeds the tenant’s quota: {lines}. Delete objects that you no longer need, or ask for a larger quota.',
  'quota.line.vms': 'VMs (limit {limit}, used {used}, requested {asked})',
  'quota.line.vcpus': 'vCPUs (limit {limit}, used {used}, requested {asked})',
  'quota.line.memoryMi': 'MiB of memory (limit {limit}, used {used}, requested {asked})',
  'quota.line.storageGi': 'GiB of storage (limit {limit}, used {used}, requested {asked})',
  'quota.line.volumes': 'volumes (limit {limit}, used {used}, requested {asked})',
  'quota.line.snapshots': 'snapshots (limit {limit}, used {used}, requested {asked})',
  'quota.line.vpcs': 'VPCs (limit {limit}, used {used}, requested {asked})',
  'quota.line.networks': 'networks (limit {limit}, used {used}, requested {asked})',
  'quota.line.publicAddresses': 'public addresses (limit {limit}, used {used}, requested {asked})',
  'quota.label.vms': 'VMs',
  'quota.label.vcpus': 'vCPU',
  'quota.label.memoryMi': 'Memory',
  'quota.label.storageGi': 'Storage',
  'quota.label.volumes': 'Volumes',
  'quota.label.snapshots': 'Snapshots',
  'quota.label.vpcs': 'VPCs',
  'quota.label.networks': 'Networks',
  'quota.label.publicAddresses': 'Public addresses',
} as const
