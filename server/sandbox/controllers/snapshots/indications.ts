import { type JsonMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { type Source } from './source.ts'

/* A VM snapshot has indications in its status. They tell users how consistent its disks are. */

const sentences = {
  GuestAgent:
    'Guest agent was active and attempted to quiesce the filesystem for application consistency.',
  NoGuestAgent:
    'Guest agent was not available. Snapshot is crash-consistent and may not be application-consistent.',
  Online: 'Snapshot taken while the VM was running. Consistency depends on guest-agent quiescing.',
  PartialSnapshot:
    'Not all snapshotable volumes were included in the snapshot. Check status.snapshotVolumes for excluded volumes and VM VolumeSnapshotStatus for details.',
  Paused:
    'Snapshot taken while the VM was paused. Snapshot is crash-consistent and may not be application-consistent.',
} as const

type Indication = keyof typeof sentences

/**
 * Writes the indications about the consistency of a snapshot, in the current and in the deprecated
 * field.
 */
function indicated(status: JsonMap, names: readonly string[]): JsonMap {
  const { indications: _names, sourceIndications: _sentences, ...rest } = status
  if (names.length === 0) return rest
  // Only names of `sentences` are ever written.
  const sourceIndications = names.map((indication) => ({
    indication,
    message: sentences[indication as Indication],
  }))
  return { ...rest, sourceIndications, indications: [...names] }
}

/** Adds the indications of a running source. A stopped VM has none. */
export function withSourceIndications(status: JsonMap, { vmi, paused, agent }: Source): JsonMap {
  if (!vmi) return indicated(status, [])
  const how: Indication = paused ? 'Paused' : agent ? 'GuestAgent' : 'NoGuestAgent'
  return indicated(status, [...new Set([...read.texts(status.indications), 'Online', how])].sort())
}

export const withPartialIndication = (status: JsonMap): JsonMap =>
  indicated(status, [...new Set([...read.texts(status.indications), 'PartialSnapshot'])])
