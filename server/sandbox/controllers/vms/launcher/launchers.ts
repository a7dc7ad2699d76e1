import { type KubeObject } from '../../../objects/types.ts'
import { type Desk } from '../../desk.ts'
import { pods } from '../../pods.ts'
import { read } from '../../../objects/read.ts'

export const isLauncher = ({ metadata }: KubeObject): boolean =>
  metadata.labels?.['kubevirt.io'] === 'virt-launcher'

/** All pods that an instance has or had: one, and a second one while it moves to another node. */
export const launchersOf = (desk: Desk, { metadata: { uid = '' } }: KubeObject): KubeObject[] =>
  pods.ownedBy(desk, uid)

/**
 * The pod that the guest runs in: the newest on the instance's node, or the newest of all as long
 * as it has none.
 */
export function launcherOf(desk: Desk, vmi: KubeObject): KubeObject | undefined {
  const node = read.status(vmi).nodeName
  const here = launchersOf(desk, vmi).filter(
    (pod) => node === undefined || node === '' || read.spec(pod).nodeName === node,
  )
  return here.sort(byAge)[0]
}

const byAge = ({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number =>
  Date.parse(b.creationTimestamp ?? '') - Date.parse(a.creationTimestamp ?? '') ||
  Number(b.resourceVersion) - Number(a.resourceVersion)
