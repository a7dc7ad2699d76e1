import { clock } from '../../clock.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { filled, read } from '../../objects/read.ts'
import { pluggedVolumes } from '../hotplug/volume-source.ts'
import { attachmentsOf } from '../hotplug/attachments.ts'
import { overheadOf } from '../vms/launcher/memory-overhead.ts'
import { vmiKind } from '../../objects/vms/kinds.ts'
import { configuration, migrationKeys } from '../../objects/migrations/names.ts'
import { migrationStateOf } from '../../objects/migrations/state.ts'

interface Handover {
  migration: KubeObject
  vmi: KubeObject
  target: KubeObject
}

/**
 * Hands the migration to the two virt-handlers: writes its source and target into the status of the
 * VMI.
 */
export function handOver(client: Client, { migration, vmi, target }: Handover): void {
  const node = read.text(read.spec(target).nodeName)
  const hasPlugged = pluggedVolumes(vmi, target).length > 0
  const migrationState = filled({
    migrationConfiguration: configuration,
    migrationUid: migration.metadata.uid,
    sourceNode: read.status(vmi).nodeName,
    sourcePod: read.at(migration.status, 'migrationState', 'sourcePod'),
    targetAttachmentPodUID: hasPlugged ? attachmentsOf(client, target)[0]?.metadata.uid : undefined,
    targetMemoryOverhead: overheadOf(vmi),
    targetNode: node,
    targetPod: target.metadata.name,
  })
  const labels = { ...vmi.metadata.labels, [migrationKeys.targetNode]: node }
  client.change(vmiKind, vmi, {
    ...vmi,
    metadata: { ...vmi.metadata, labels },
    status: { ...read.status(vmi), migrationState },
  })
  const message = 'Migration target pod is ready for preparation by virt-handler.'
  client.record(migration, { type: 'Normal', reason: 'SuccessfulHandOver', message })
}

const setState = (client: Client, vmi: KubeObject, changes: JsonMap): void =>
  void client.setStatus(vmiKind, vmi, {
    ...read.status(vmi),
    migrationState: { ...migrationStateOf(vmi), ...changes },
  })

export function markAborted(client: Client, migration: KubeObject, vmi: KubeObject): void {
  if (migrationStateOf(vmi).abortRequested === true) return
  setState(client, vmi, { abortRequested: true })
  const message = 'Migration is ready to be canceled by virt-handler.'
  client.record(migration, { type: 'Normal', reason: 'SuccessfulAbortMigration', message })
}

export function markFailed(client: Client, migration: KubeObject, vmi: KubeObject): void {
  const now = clock.timestamp()
  const {
    startTimestamp = now,
    endTimestamp = now,
    failureReason = 'Target pod is down',
  } = migrationStateOf(vmi)
  setState(client, vmi, {
    startTimestamp,
    endTimestamp,
    failureReason,
    failed: true,
    completed: true,
  })
  const message = `VirtualMachineInstance migration uid ${migration.metadata.uid} failed. reason: Target pod is down`
  client.record(vmi, { type: 'Warning', reason: 'FailedMigration', message })
}
