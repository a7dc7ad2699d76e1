import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { read } from '../../objects/read.ts'
import { phaseOf } from '../../objects/vms/phase.ts'
import { vmiKind } from '../../objects/vms/kinds.ts'
import { cpuVerdict, memoryVerdict } from './resources.ts'
import { nicsVerdict } from './nics.ts'
import { placementVerdict } from './placement.ts'
import { needsRestart } from './restart-required.ts'
import { type SyncError, type Verdict } from './verdict.ts'
import { volumesVerdict } from './volumes.ts'

/** The result of applying changes of a VM to its running VMI. */
export interface SyncOutcome {
  error: SyncError | null
  /** Why the change requires a restart; null when it does not. */
  restart: string | null
}

export const settled: SyncOutcome = { error: null, restart: null }

const notLive = 'a non-live-updatable field was changed in the template spec'

/** Applies changes of the VM's spec to the running VMI, as far as they can be applied live. */
export function syncLive(client: Client, vm: KubeObject, vmi: KubeObject): SyncOutcome {
  const start = startSpecOf(client, vmi)
  const isBeyond = start !== null && needsRestart(start, vm, vmi)
  const outcome: SyncOutcome = { error: null, restart: isBeyond ? notLive : null }
  const verdicts = isBeyond
    ? [nicsVerdict, plugging]
    : [nicsVerdict, plugging, cpuVerdict, placementVerdict, memoryVerdict]
  for (const verdictOn of verdicts) {
    if (outcome.error !== null) break
    const current = client.get(vmiKind, vmi.metadata.namespace, vmi.metadata.name)
    if (!current || current.metadata.deletionTimestamp !== undefined) break
    apply(client, current, { verdict: verdictOn(vm, current), outcome })
  }
  return outcome
}

const plugging = (vm: KubeObject, vmi: KubeObject): Verdict =>
  phaseOf(vmi) === 'Running' ? volumesVerdict(vm, vmi) : { do: 'nothing' }

function apply(
  client: Client,
  vmi: KubeObject,
  { verdict, outcome }: { verdict: Verdict; outcome: SyncOutcome },
): void {
  if (verdict.do === 'change') client.change(vmiKind, vmi, { ...vmi, spec: verdict.spec })
  if (verdict.do === 'refuse') outcome.error = verdict.error
  if (verdict.do === 'restart') outcome.restart ??= verdict.why
}

/** The VM's spec at the time when the VMI was created. */
export function startSpecOf(client: Client, vmi: KubeObject): JsonMap | null {
  const name = read.text(read.status(vmi).virtualMachineRevisionName)
  const revision = client.get('controllerrevisions.apps', vmi.metadata.namespace, name)
  return revision ? read.map(read.at(revision.data, 'spec')) : null
}
