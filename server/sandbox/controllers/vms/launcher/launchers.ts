import { type KubeObject } from '../../../objects/types.ts'
import { type Client } from '../../client.ts'
import { pods } from '../../pods.ts'
import { read } from '../../../objects/read.ts'

/** True for a launcher pod, in which KubeVirt runs the guest of a VMI. */
export const isLauncher = ({ metadata }: KubeObject): boolean =>
  metadata.labels?.['kubevirt.io'] === 'virt-launcher'

/** All launcher pods of a VMI: one, and a second one during a migration. */
export const launchersOf = (client: Client, { metadata: { uid = '' } }: KubeObject): KubeObject[] =>
  pods.ownedBy(client, uid)

/**
 * The launcher pod of the guest: the newest on the VMI's node, or the newest of all while the VMI
 * has no node.
 */
export function launcherOf(client: Client, vmi: KubeObject): KubeObject | undefined {
  const node = read.status(vmi).nodeName
  const candidates = launchersOf(client, vmi).filter(
    (pod) => node === undefined || node === '' || read.spec(pod).nodeName === node,
  )
  return candidates.sort(youngestFirst)[0]
}

const youngestFirst = ({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number =>
  Date.parse(b.creationTimestamp ?? '') - Date.parse(a.creationTimestamp ?? '') ||
  Number(b.resourceVersion) - Number(a.resourceVersion)
