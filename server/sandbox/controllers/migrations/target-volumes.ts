import { type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { type LaunchedVmi, attachmentsOf, syncAttachments } from '../hotplug/attachments.ts'
import { pluggedVolumes } from '../hotplug/volume-source.ts'
import { isTrue } from '../../objects/vms/conditions.ts'

/**
 * Attaches the hotplugged volumes on the target node, through an attachment pod of the target pod.
 */
export function attachTargetVolumes(client: Client, plug: LaunchedVmi): null {
  const isNeeded = pluggedVolumes(plug.vmi, plug.launcher).length > 0
  if (
    isNeeded &&
    isTrue(plug.launcher, 'Ready') &&
    attachmentsOf(client, plug.launcher).length === 0
  )
    syncAttachments(client, plug)
  return null
}

export function hasTargetVolumes(
  client: Client,
  vmi: KubeObject,
  target: KubeObject | undefined,
): boolean {
  if (!target || pluggedVolumes(vmi, target).length === 0) return true
  return attachmentsOf(client, target).some((pod) => isTrue(pod, 'Ready'))
}
