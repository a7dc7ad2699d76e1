import type { ClusterFeatures } from '../../api/cluster-features.ts'
import { type PlainMessage } from '../../i18n/active-locale.ts'
import { t } from '../../i18n/t.ts'

type FeatureName = ClusterFeatures['clusterFeatures']['features'][number]['name']

/** The features in the words of users. */
export const featureTitles: Readonly<Record<FeatureName, PlainMessage>> = {
  virtual_machines: 'Virtual machines',
  live_hotplug: 'Attach disks to running VMs',
  live_nics: 'Attach NICs to running VMs',
  vm_snapshots: 'Snapshots of VMs',
  vm_exports: 'Exports of VMs',
  image_imports: 'Volumes and imports of images',
  volume_snapshots: 'Snapshots of volumes',
  extra_networks: 'Private networks',
  attachment_policies: 'Admission policies between the networks of tenants',
  network_filters: 'Security groups in private networks',
  host_bridges: 'Bridges on the nodes are created by Berth',
  guest_state: 'Firmware and TPM state survive restarts',
}

/** A line of the page: what is offered, and the reason when it is not. */
export interface AbilityLine {
  title: string
  available: boolean
  reason: string | null
}

type Ability = Omit<AbilityLine, 'title'>

/** Lists the features of the volumes of a storage class. */
export function linesOfClass({
  expand,
  snapshot,
  liveMigrate,
}: ClusterFeatures['storageClasses'][number]): AbilityLine[] {
  const lineOf = (title: string, { available, reason }: Ability): AbilityLine => ({
    title,
    available,
    reason,
  })
  return [
    lineOf(t('Volumes can grow'), expand),
    lineOf(t('Snapshots of volumes'), snapshot),
    lineOf(t('VMs can move to another node while they run'), liveMigrate),
  ]
}
