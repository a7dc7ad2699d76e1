import { type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { type LaunchedVmi, attachmentsOf, syncAttachments } from '../hotplug/attachments.ts'
import { pluggedVolumes } from '../hotplug/volume-source.ts'
import { isTrue } from '../../objects/vms/conditions.ts'

/**
 * Attaches the hotplugged volumes on the target node of a migration, through an attachment pod. The
 * launcher pod here is the one on the target node.
 */
export function attachTargetVolumes(client: Client, launched: LaunchedVmi): null {
  const isNeeded = pluggedVolumes(launched.vmi, launched.launcher).length > 0
  if (
    isNeeded &&
    isTrue(launched.launcher, 'Ready') &&
    attachmentsOf(client, launched.launcher).length === 0
  )
    syncAttachments(client, launched)
  return null
}

/** True when the hotplugged volumes are attached on the target node, so the migration can go on. */
export function hasTargetVolumes(
  client: Client,
  vmi: KubeObject,
  target: KubeObject | undefined,
): boolean {
  if (!target || pluggedVolumes(vmi, target).length === 0) return true
  return attachmentsOf(client, target).some((pod) => isTrue(pod, 'Ready'))
}
