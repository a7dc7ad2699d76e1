import { clock } from '../../../clock.ts'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { type Client } from '../../client.ts'
import { filled, read } from '../../../objects/read.ts'
import { type SyncOutcome } from '../../live/sync.ts'
import { startFailureOf } from './start-failure.ts'
import {
  type ConditionUpdate,
  conditionOf,
  conditionsOf,
  withCondition,
} from '../../../objects/vms/conditions.ts'
import { isFinal } from '../../../objects/vms/phase.ts'
import { strategyOf } from '../../../objects/vms/power.ts'
import { requestsOf } from '../../../objects/vms/requests.ts'
import { printableStatus } from './printable-status.ts'

const mirrored = (type: unknown): boolean =>
  type !== 'Ready' && type !== 'Failure' && type !== 'RestartRequired'

interface VmAndVmi {
  vm: KubeObject
  vmi: KubeObject | undefined
}

/** The status of a VM, derived from its VMI and the outcome of the last synchronization. */
export function statusOf(client: Client, { vm, vmi }: VmAndVmi, outcome: SyncOutcome): JsonMap {
  const {
    created: _c,
    ready: _r,
    runStrategy,
    stateChangeRequests: _s,
    startFailure: _f,
    ...rest
  } = read.status(vm)
  const isReady = vmi !== undefined && conditionOf(vmi, 'Ready')?.status === 'True'
  const requests = openRequests(vm, vmi)
  const startFailure = startFailureOf(client, vm, vmi)
  const withFailure = { ...vm, status: filled({ ...read.status(vm), startFailure }) }
  return filled({
    ...rest,
    ...(vmi ? { created: true, ...generationsOf(vm, vmi) } : {}),
    ...(isReady ? { ready: true } : {}),
    // KubeVirt sets the field with the first VMI and keeps it.
    runStrategy: vmi || runStrategy ? strategyOf(vm) : undefined,
    startFailure,
    printableStatus: printableStatus({ vm: withFailure, vmi, ...volumesOf(client, vm) }),
    stateChangeRequests: requests.length > 0 ? requests : undefined,
    conditions: conditionsFor({ vm, vmi }, outcome),
  })
}

/** The generation of the VM that its VMI has, and the current one. */
function generationsOf(vm: KubeObject, vmi: KubeObject): JsonMap {
  const observed = vmi.metadata.annotations?.['kubevirt.io/vm-generation']
  if (observed === undefined) return {}
  return { observedGeneration: Number(observed), desiredGeneration: vm.metadata.generation ?? 1 }
}

/**
 * The state change requests that are still open. A stop is done when its VMI is gone, a start when
 * a VMI exists.
 */
function openRequests(vm: KubeObject, vmi: KubeObject | undefined): JsonMap[] {
  const [first, ...rest] = requestsOf(vm)
  if (!first) return []
  const isDone =
    first.action === 'Stop' ? first.uid !== vmi?.metadata.uid : vmi !== undefined && !isFinal(vmi)
  return isDone ? rest : [first, ...rest]
}

function readiness(vmi: KubeObject | undefined): ConditionUpdate {
  const found = { status: 'False', lastProbeTime: clock.timestamp() } as const
  if (vmi === undefined) return { ...found, reason: 'VMINotExists', message: 'VMI does not exist' }
  const ready = conditionOf(vmi, 'Ready')
  if (!ready)
    return {
      ...found,
      reason: 'VMIConditionMissing',
      message: 'VMI is missing the Ready condition',
    }
  if (ready.status === 'True') return { status: 'True' }
  const probed =
    typeof ready.lastProbeTime === 'string' ? { lastProbeTime: ready.lastProbeTime } : {}
  return {
    status: 'False',
    reason: read.text(ready.reason),
    message: read.text(ready.message),
    ...probed,
  }
}

/**
 * The VM's conditions with copies of the VMI's. As in KubeVirt, the copies stay after the VMI is
 * gone.
 */
function conditionsFor({ vm, vmi }: VmAndVmi, { error, restart }: SyncOutcome): JsonMap[] {
  const ready = withCondition(conditionsOf(vm), 'Ready', readiness(vmi))
  const failure = withCondition(ready, 'Failure', error && { status: 'True', ...error })
  if (vmi === undefined) return failure
  const needed = withCondition(
    failure,
    'RestartRequired',
    restart === null ? null : { status: 'True', message: restart },
  )
  const copied = conditionsOf(vmi).filter(({ type }) => mirrored(type))
  const rest = needed.flatMap((each) =>
    mirrored(each.type) ? copied.filter(({ type }) => type === each.type) : [each],
  )
  return [...rest, ...copied.filter(({ type }) => !rest.some((each) => each.type === type))]
}

const volumesIn = (vm: KubeObject): JsonMap[] =>
  read.maps(read.at(vm.spec, 'template', 'spec', 'volumes'))

function volumesOf(
  client: Client,
  vm: KubeObject,
): { dataVolumes: KubeObject[]; claims: KubeObject[] } {
  const { namespace } = vm.metadata
  const names = volumesIn(vm).map((volume) => ({
    dataVolume: read.text(read.at(volume.dataVolume, 'name')),
    claim:
      read.text(read.at(volume.persistentVolumeClaim, 'claimName')) ||
      read.text(read.at(volume.dataVolume, 'name')),
  }))
  return {
    dataVolumes: names.flatMap(
      ({ dataVolume }) => client.get('datavolumes.cdi.kubevirt.io', namespace, dataVolume) ?? [],
    ),
    // A filled volume is being bound to its PVC, which is not reported as waiting.
    claims: names
      .flatMap(({ claim }) => client.get('persistentvolumeclaims', namespace, claim) ?? [])
      .filter((claim) => !isHandedOn(client, claim)),
  }
}

function isHandedOn(
  client: Client,
  { metadata: { namespace, ownerReferences = [] } }: KubeObject,
): boolean {
  const owner = ownerReferences.find(({ kind }) => kind === 'DataVolume')
  const dataVolume = owner && client.get('datavolumes.cdi.kubevirt.io', namespace, owner.name)
  return dataVolume !== undefined && read.status(dataVolume).phase === 'Succeeded'
}
