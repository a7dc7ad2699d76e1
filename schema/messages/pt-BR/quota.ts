import { type quota as english } from '../en/quota.ts'
import { type Translation } from '../catalogue.ts'

export const quota: Translation<typeof english> = {
  'quota.exceeded':
    'A solicitação excede a cota do tenant: {lines}. Exclua objetos de que não precisa mais ou peça ao operador uma cota maior.',
  'quota.line.vms': 'VMs (limite {limit}, em uso {used}, e esta solicitação acrescentaria {asked})',
  'quota.line.vcpus': 'vCPUs (limite {limit}, em uso {used}, e esta solicitação acrescentaria {asked})',
  'quota.line.memoryMi': 'MiB de memória (limite {limit}, em uso {used}, e esta solicitação acrescentaria {asked})',
  'quota.line.storageGi': 'GiB de armazenamento (limite {limit}, em uso {used}, e esta solicitação acrescentaria {asked})',
  'quota.line.volumes': 'volumes (limite {limit}, em uso {used}, e esta solicitação acrescentaria {asked})',
  'quota.line.snapshots': 'snapshots (limite {limit}, em uso {used}, e esta solicitação acrescentaria {asked})',
  'quota.line.vpcs': 'VPCs (limite {limit}, em uso {used}, e esta solicitação acrescentaria {asked})',
  'quota.line.networks': 'redes (limite {limit}, em uso {used}, e esta solicitação acrescentaria {asked})',
  'quota.line.publicAddresses': 'endereços públicos (limite {limit}, em uso {used}, e esta solicitação acrescentaria {asked})',
  'quota.label.vms': 'VMs',
  'quota.label.vcpus': 'vCPU',
  'quota.label.memoryMi': 'Memória',
  'quota.label.storageGi': 'Armazenamento',
  'quota.label.volumes': 'Volumes',
  'quota.label.snapshots': 'Snapshots',
  'quota.label.vpcs': 'VPCs',
  'quota.label.networks': 'Redes',
  'quota.label.publicAddresses': 'Endereços públicos',
}
