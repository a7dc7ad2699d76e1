import { clock } from '../../clock.ts'
import { isDeepStrictEqual } from 'node:util'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Step } from '../../pace.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { isDeleted } from '../holds.ts'
import { filled, read } from '../../objects/read.ts'
import { withCondition } from '../../objects/vms/conditions.ts'
import { vmiKind } from '../../objects/vms/kinds.ts'
import { launcherOf } from '../vms/launcher/launchers.ts'
import { isFinal, phaseOf } from '../../objects/vms/phase.ts'
import { withMigratability } from './migratable.ts'
import { migrationStateOf } from '../../objects/migrations/state.ts'
import { marks } from '../../objects/migrations/names.ts'

/**
 * The part of both virt-handlers in a migration: prepares the target, copies the guest, and
 * completes or aborts the migration.
 */
export const migrationAgent: Controller = {
  name: 'virt-handler',
  program: 'virt-handler',
  sources: [{ kind: vmiKind, keysOf: (vmi) => (phaseOf(vmi) === 'Running' ? ownKey(vmi) : []) }],
  reconcile(desk, { namespace, name }) {
    const vmi = desk.get(vmiKind, namespace, name)
    if (!vmi || phaseOf(vmi) !== 'Running' || vmi.metadata.deletionTimestamp !== undefined)
      return undefined
    const { migrationUid, completed } = migrationStateOf(vmi)
    // When the source pod is gone or being deleted, the guest ends with it and cannot migrate.
    const source = launcherOf(desk, vmi)
    if (!source || isDeleted(source)) return undefined
    if (migrationUid !== undefined && completed !== true) return takeStep(desk, vmi)
    const judged = withMigratability(vmi)
    if (!isDeepStrictEqual(judged, vmi.status)) desk.setStatus(vmiKind, vmi, judged)
    return undefined
  },
}

function takeStep(desk: Desk, vmi: KubeObject): number | undefined {
  const { step, next } = stepOf(desk, vmi)
  const waitMs = desk.remainingMs(step, vmi)
  if (waitMs > 0) return waitMs
  next()
  return undefined
}

function stepOf(desk: Desk, vmi: KubeObject): { step: Step; next: () => void } {
  const state = migrationStateOf(vmi)
  const tell = (news: JsonMap): void =>
    void desk.setStatus(vmiKind, vmi, {
      ...read.status(vmi),
      migrationState: { ...state, ...news },
    })
  if (state.abortRequested === true) return { step: 'migrationAbort', next: () => abort(desk, vmi) }
  if (state.targetNodeAddress === undefined)
    return {
      step: 'migrationPrepare',
      next: () =>
        tell({
          targetDirectMigrationNodePorts: { '35001': 0 },
          targetNodeAddress: addressOf(desk, vmi),
        }),
    }
  if (state.startTimestamp === undefined)
    return {
      step: 'migrationStart',
      next: () => tell({ startTimestamp: clock.timestamp(), mode: 'PreCopy' }),
    }
  return { step: 'migrationCopy', next: () => arrive(desk, vmi) }
}

const podNamed = (desk: Desk, vmi: KubeObject, name: unknown): KubeObject | undefined =>
  desk.get('pods', vmi.metadata.namespace, typeof name === 'string' ? name : '')

const addressOf = (desk: Desk, vmi: KubeObject): string =>
  read.text(read.at(podNamed(desk, vmi, migrationStateOf(vmi).targetPod)?.status, 'podIP'))

/** Completes the migration: the guest runs on the target, and hotplugged resources take effect. */
function arrive(desk: Desk, vmi: KubeObject): void {
  const state = migrationStateOf(vmi)
  const target = podNamed(desk, vmi, state.targetPod)
  if (!target || isFinal(target)) return fail(desk, vmi, { failureReason: 'Target pod is down' })
  const now = clock.timestamp()
  const {
    launcherContainerImageVersion: _set,
    evacuationNodeName: _left,
    ...status
  } = read.status(vmi)
  const { [marks.targetNode]: _was, ...labels } = vmi.metadata.labels ?? {}
  const migrationState = {
    ...state,
    completed: true,
    endTimestamp: now,
    targetNodeDomainDetected: true,
    targetNodeDomainReadyTimestamp: now,
  }
  desk.change(vmiKind, vmi, {
    ...vmi,
    metadata: {
      ...vmi.metadata,
      labels: { ...labels, 'kubevirt.io/nodeName': read.text(state.targetNode) },
    },
    status: {
      ...status,
      ...arrived(vmi),
      interfaces: movedTo(vmi, target),
      nodeName: state.targetNode,
      migrationState,
    },
  })
  endPod(desk, podNamed(desk, vmi, state.sourcePod))
}

function arrived(vmi: KubeObject): JsonMap {
  const { cores = 1, sockets = 1, threads = 1 } = read.map(read.at(vmi.spec, 'domain', 'cpu'))
  const guest = read.at(vmi.spec, 'domain', 'memory', 'guest')
  const memory = read.map(read.status(vmi).memory)
  const conditions = ['HotVCPUChange', 'HotMemoryChange', 'MigrationRequired'].reduce(
    (all, type) => withCondition(all, type, null),
    read.maps(read.status(vmi).conditions),
  )
  return {
    currentCPUTopology: { cores, sockets, threads },
    memory:
      guest === undefined ? memory : { ...memory, guestCurrent: guest, guestRequested: guest },
    conditions,
  }
}

/**
 * With masquerade the guest is reached by the address of its pod, which changes with the target
 * pod.
 */
function movedTo(vmi: KubeObject, target: KubeObject): JsonMap[] {
  const podIP = read.text(read.status(target).podIP)
  const nics = read.maps(read.at(vmi.spec, 'domain', 'devices', 'interfaces'))
  return read.maps(read.status(vmi).interfaces).map((each) => {
    const isBehind = nics.find(({ name }) => name === each.name)?.masquerade !== undefined
    return isBehind ? filled({ ...each, ipAddress: podIP, ipAddresses: [podIP] }) : each
  })
}

function abort(desk: Desk, vmi: KubeObject): void {
  fail(desk, vmi, { failureReason: 'Live migration aborted', abortStatus: 'Succeeded' })
}

function fail(desk: Desk, vmi: KubeObject, why: JsonMap): void {
  const state = migrationStateOf(vmi)
  const { [marks.targetNode]: _was, ...labels } = vmi.metadata.labels ?? {}
  const migrationState = {
    ...state,
    ...why,
    completed: true,
    failed: true,
    endTimestamp: clock.timestamp(),
  }
  desk.change(vmiKind, vmi, {
    ...vmi,
    metadata: { ...vmi.metadata, labels },
    status: { ...read.status(vmi), migrationState },
  })
  endPod(desk, podNamed(desk, vmi, state.targetPod))
}

/** Ends the pod. The object stays until the cleanup of finished migrations. */
function endPod(desk: Desk, pod: KubeObject | undefined): void {
  if (!pod || isFinal(pod)) return
  const conditions = ['Ready', 'ContainersReady'].reduce(
    (all, type) => withCondition(all, type, { status: 'False', reason: 'PodCompleted' }),
    read.maps(read.status(pod).conditions),
  )
  desk.setStatus('pods', pod, { ...read.status(pod), phase: 'Succeeded', conditions })
}
