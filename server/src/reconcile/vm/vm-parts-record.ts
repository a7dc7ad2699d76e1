import { type Op } from '../../store/op.ts'

type NicPlugs = Awaited<ReturnType<Op['reads']['nics']['desiredAndLeavingOf']>>

/** The volumes and NICs of a VM, which are parts of its spec. */
export interface VmParts {
  volumeIds: string[]
  nics: NicPlugs
}

export async function loadParts(op: Op, vmId: string): Promise<VmParts> {
  const [volumes, nics] = await Promise.all([
    op.reads.volumes.attachedTo([vmId]),
    op.reads.nics.desiredAndLeavingOf(vmId),
  ])
  return { volumeIds: volumes.map((volume) => volume.id), nics }
}
