import { clock } from '../../clock.ts'
import { isDeepStrictEqual } from 'node:util'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Step } from '../../pace.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { isDeleted } from '../finalizers.ts'
import { filled, read } from '../../objects/read.ts'
import { withCondition } from '../../objects/vms/conditions.ts'
import { vmiKind } from '../../objects/vms/kinds.ts'
import { launcherOf } from '../vms/launcher/launchers.ts'
import { isFinal, phaseOf } from '../../objects/vms/phase.ts'
import { withMigratability } from './migratable.ts'
import { migrationStateOf } from '../../objects/migrations/state.ts'
import { migrationKeys } from '../../objects/migrations/names.ts'

/**
 * The part of both virt-handlers in a migration: prepares the target, copies the guest, and
 * completes or aborts the migration.
 */
export const migrationAgent: Controller = {
  name: 'virt-handler',
  fieldManager: 'virt-handler',
  sources: [{ kind: vmiKind, keysOf: (vmi) => (phaseOf(vmi) === 'Running' ? ownKey(vmi) : []) }],
  reconcile(client, { namespace, name }) {
    const vmi = client.get(vmiKind, namespace, name)
    if (!vmi || phaseOf(vmi) !== 'Running' || vmi.metadata.deletionTimestamp !== undefined)
      return undefined
    const { migrationUid, completed } = migrationStateOf(vmi)
    // When the source pod is gone or being deleted, the guest ends with it and cannot migrate.
    const source = launcherOf(client, vmi)
    if (!source || isDeleted(source)) return undefined
    if (migrationUid !== undefined && completed !== true) return takeStep(client, vmi)
    const assessed = withMigratability(vmi)
    if (!isDeepStrictEqual(assessed, vmi.status)) client.setStatus(vmiKind, vmi, assessed)
    return undefined
  },
}

function takeStep(client: Client, vmi: KubeObject): number | undefined {
  const { step, next } = stepOf(client, vmi)
  const waitMs = client.remainingMs(step, vmi)
  if (waitMs > 0) return waitMs
  next()
  return undefined
}

function stepOf(client: Client, vmi: KubeObject): { step: Step; next: () => void } {
  const state = migrationStateOf(vmi)
  const setState = (changes: JsonMap): void =>
    void client.setStatus(vmiKind, vmi, {
      ...read.status(vmi),
      migrationState: { ...state, ...changes },
    })
  if (state.abortRequested === true)
    return { step: 'migrationAbort', next: () => abort(client, vmi) }
  if (state.targetNodeAddress === undefined)
    return {
      step: 'migrationPrepare',
      next: () =>
        setState({
          targetDirectMigrationNodePorts: { '35001': 0 },
          targetNodeAddress: addressOf(client, vmi),
        }),
    }
  if (state.startTimestamp === undefined)
    return {
      step: 'migrationStart',
      next: () => setState({ startTimestamp: clock.timestamp(), mode: 'PreCopy' }),
    }
  return { step: 'migrationCopy', next: () => complete(client, vmi) }
}

const podNamed = (client: Client, vmi: KubeObject, name: unknown): KubeObject | undefined =>
  client.get('pods', vmi.metadata.namespace, typeof name === 'string' ? name : '')

const addressOf = (client: Client, vmi: KubeObject): string =>
  read.text(read.at(podNamed(client, vmi, migrationStateOf(vmi).targetPod)?.status, 'podIP'))

/** Completes the migration: the guest runs on the target, and hotplugged resources take effect. */
function complete(client: Client, vmi: KubeObject): void {
  const state = migrationStateOf(vmi)
  const target = podNamed(client, vmi, state.targetPod)
  if (!target || isFinal(target)) return fail(client, vmi, { failureReason: 'Target pod is down' })
  const now = clock.timestamp()
  const {
    launcherContainerImageVersion: _set,
    evacuationNodeName: _left,
    ...status
  } = read.status(vmi)
  const { [migrationKeys.targetNode]: _was, ...labels } = vmi.metadata.labels ?? {}
  const migrationState = {
    ...state,
    completed: true,
    endTimestamp: now,
    targetNodeDomainDetected: true,
    targetNodeDomainReadyTimestamp: now,
  }
  client.change(vmiKind, vmi, {
    ...vmi,
    metadata: {
      ...vmi.metadata,
      labels: { ...labels, 'kubevirt.io/nodeName': read.text(state.targetNode) },
    },
    status: {
      ...status,
      ...completedStatus(vmi),
      interfaces: movedInterfaces(vmi, target),
      nodeName: state.targetNode,
      migrationState,
    },
  })
  endPod(client, podNamed(client, vmi, state.sourcePod))
}

function completedStatus(vmi: KubeObject): JsonMap {
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
function movedInterfaces(vmi: KubeObject, target: KubeObject): JsonMap[] {
  const podIP = read.text(read.status(target).podIP)
  const nics = read.maps(read.at(vmi.spec, 'domain', 'devices', 'interfaces'))
  return read.maps(read.status(vmi).interfaces).map((each) => {
    const isBehind = nics.find(({ name }) => name === each.name)?.masquerade !== undefined
    return isBehind ? filled({ ...each, ipAddress: podIP, ipAddresses: [podIP] }) : each
  })
}

function abort(client: Client, vmi: KubeObject): void {
  fail(client, vmi, { failureReason: 'Live migration aborted', abortStatus: 'Succeeded' })
}

function fail(client: Client, vmi: KubeObject, why: JsonMap): void {
  const state = migrationStateOf(vmi)
  const { [migrationKeys.targetNode]: _was, ...labels } = vmi.metadata.labels ?? {}
  const migrationState = {
    ...state,
    ...why,
    completed: true,
    failed: true,
    endTimestamp: clock.timestamp(),
  }
  client.change(vmiKind, vmi, {
    ...vmi,
    metadata: { ...vmi.metadata, labels },
    status: { ...read.status(vmi), migrationState },
  })
  endPod(client, podNamed(client, vmi, state.targetPod))
}

/** Ends the pod. The object stays until the cleanup of finished migrations. */
function endPod(client: Client, pod: KubeObject | undefined): void {
  if (!pod || isFinal(pod)) return
  const conditions = ['Ready', 'ContainersReady'].reduce(
    (all, type) => withCondition(all, type, { status: 'False', reason: 'PodCompleted' }),
    read.maps(read.status(pod).conditions),
  )
  client.setStatus('pods', pod, { ...read.status(pod), phase: 'Succeeded', conditions })
}
