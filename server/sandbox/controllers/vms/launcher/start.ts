import { ApiError } from '../../../objects/status.ts'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { type Client } from '../../client.ts'
import { claimNameOf, isHotpluggable } from '../../hotplug/volume-source.ts'
import { volumesOf } from '../../hotplug/volumes.ts'
import { type SyncError } from '../../live/verdict.ts'
import { read } from '../../../objects/read.ts'
import { conditionsOf, withCondition } from '../../../objects/vms/conditions.ts'
import { isFilled, withDataVolumes } from '../status/data-volumes-ready.ts'
import { readinessOf } from '../vmi-pod-state.ts'
import { vmiKind } from '../../../objects/vms/kinds.ts'
import { launcherContext } from './context.ts'
import { launcherPodOf } from './pod.ts'

const retryMs = 1_000

/** Creates the launcher pod when its PVCs are filled; otherwise reports the missing ones. */
export function startLauncher(client: Client, vmi: KubeObject): number | undefined {
  const claims = claimsOf(client, vmi)
  const absent = claims.find(({ claim }) => claim === undefined)
  if (absent) return refuse(client, vmi, missingClaim(client, vmi, absent.name))
  if (!claims.every(({ claim }) => isFilled(client, claim))) return refuse(client, vmi, null)
  const error = makePod(client, vmi)
  return error && refuse(client, vmi, error)
}

const claimsOf = (
  client: Client,
  vmi: KubeObject,
): { name: string; claim: KubeObject | undefined }[] =>
  volumesOf(vmi)
    .filter((volume) => claimNameOf(volume) !== '' && !isHotpluggable(volume))
    .map((volume) => ({
      name: claimNameOf(volume),
      claim: client.get('persistentvolumeclaims', vmi.metadata.namespace, claimNameOf(volume)),
    }))

function missingClaim(client: Client, vmi: KubeObject, name: string): SyncError {
  const message = `PVC ${vmi.metadata.namespace}/${name} does not exist, waiting for it to appear`
  client.record(vmi, { type: 'Normal', reason: 'FailedPvcNotFound', message })
  return { reason: 'FailedPvcNotFound', message }
}

function makePod(client: Client, vmi: KubeObject): SyncError | undefined {
  try {
    const pod = client.create('pods', launcherPodOf(vmi, launcherContext(client, vmi)))
    client.record(vmi, {
      type: 'Normal',
      reason: 'SuccessfulCreate',
      message: `Created virtual machine pod ${pod.metadata.name}`,
    })
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    client.record(vmi, {
      type: 'Warning',
      reason: 'FailedCreate',
      message: `Error creating pod: ${error.message}`,
    })
    return {
      reason: 'FailedCreate',
      message: `failed to create virtual machine pod: ${error.message}`,
    }
  }
}

/** Reports why the VMI waits. A missing PVC is also reported as Unschedulable. */
function refuse(client: Client, vmi: KubeObject, error: SyncError | null): number {
  const ready = withCondition(conditionsOf(vmi), 'Ready', readinessOf(vmi, undefined))
  const isAbsent = error?.reason === 'FailedPvcNotFound'
  const scheduled = isAbsent
    ? withCondition(ready, 'PodScheduled', {
        status: 'False',
        reason: 'Unschedulable',
        message: error.message,
      })
    : ready
  const conditions: JsonMap[] = withCondition(
    withDataVolumes(client, vmi, scheduled),
    'Synchronized',
    error && { status: 'False', reason: error.reason, message: error.message },
  )
  client.setStatus(vmiKind, vmi, { ...read.status(vmi), conditions })
  return retryMs
}
