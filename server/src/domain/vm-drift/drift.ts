import { type Message, messageOf } from '../../engine/model/message.ts'

/*
 * Drift: the VM object differs from what Berth applied, because another client changed it in the
 * cluster.
 */

/** The parts of a VM in which the cluster may differ from Berth. */
export const driftParts = ['power', 'cpu', 'memory', 'disks', 'nics', 'settings'] as const
export type DriftPart = (typeof driftParts)[number]

export interface VmDifference {
  part: DriftPart
  /** The value in Berth: `on` or `off`, a number of vCPUs, or MiB; null for all other parts. */
  desired: string | null
  /** The value in the cluster. Null when Berth cannot adopt it. */
  found: string | null
}

/** The changes that Berth makes to its own values when it accepts a drift. */
export interface AcceptedDrift {
  power: 'on' | 'off' | null
  cpu: number | null
  memoryMi: number | null
}

/** Returns what to change in Berth to accept the differences; null when one of them cannot be. */
export function acceptedDrift(differences: readonly VmDifference[]): AcceptedDrift | null {
  if (differences.some(({ found }) => found === null)) return null
  const foundIn = (part: DriftPart): string | null =>
    differences.find((each) => each.part === part)?.found ?? null
  const numberIn = (part: DriftPart): number | null => {
    const found = foundIn(part)
    return found === null ? null : Number(found)
  }
  const power = foundIn('power')
  return {
    power: power === 'on' || power === 'off' ? power : null,
    cpu: numberIn('cpu'),
    memoryMi: numberIn('memory'),
  }
}

/** Describes one difference as a part of a sentence. */
export function describeDifference({ part, desired, found }: VmDifference): Message {
  if (part === 'power' && found !== null)
    return messageOf(found === 'on' ? 'vm.drift.on' : 'vm.drift.off')
  if ((part === 'cpu' || part === 'memory') && desired !== null && found !== null)
    return messageOf(`vm.drift.${part}`, { found: Number(found), desired: Number(desired) })
  return messageOf(`vm.drift.other_${part}`)
}
