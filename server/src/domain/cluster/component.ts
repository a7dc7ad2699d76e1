import { type Message, messageOf } from '../../engine/model/message.ts'

/** The sentence about the absence of each component that serves kinds which Berth uses. */
const absences = {
  kubevirt: messageOf('capability.no_kubevirt'),
  cdi: messageOf('capability.no_cdi'),
  snapshots: messageOf('capability.no_volume_snapshots'),
  multus: messageOf('capability.no_multus'),
  kubeOvn: messageOf('capability.no_driver', { name: 'Kube-OVN' }),
  nmstate: messageOf('capability.no_nmstate'),
} satisfies Record<string, Message>

const byGroup: Readonly<Record<string, Message>> = {
  'kubevirt.io': absences.kubevirt,
  'subresources.kubevirt.io': absences.kubevirt,
  'snapshot.kubevirt.io': absences.kubevirt,
  'cdi.kubevirt.io': absences.cdi,
  'snapshot.storage.k8s.io': absences.snapshots,
  'k8s.cni.cncf.io': absences.multus,
  'kubeovn.io': absences.kubeOvn,
  'nmstate.io': absences.nmstate,
}

/** Says which component is absent from a cluster that does not serve this API group. */
export const absentComponent = (group: string): Message | null => byGroup[group] ?? null
