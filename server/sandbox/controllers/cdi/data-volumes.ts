import { ApiError } from '../../objects/status.ts'
import { type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { cachesOf } from '../caches.ts'
import { type Client } from '../client.ts'
import { isDeleted } from '../finalizers.ts'
import { controllerOf, ownedBy } from '../owners.ts'
import { read } from '../../objects/read.ts'
import { annotated, claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'
import { clonePhase, sourceReference, clonedSourceOf, cloneProblem } from './clone-source.ts'
import { annotationKeys } from './annotation-keys.ts'
import { type PopulatorSource, targetClaim } from './target-claim.ts'
import { type VolumeStatusChange, type ConditionUpdate, reportStatus } from './volume-status.ts'

/** Creates the PVC of a DataVolume and reports the progress of filling it. */
export const dataVolumes: Controller = {
  name: 'datavolume-import-controller',
  sources: [
    { kind: names.dataVolumes, keysOf: ownKey },
    {
      kind: names.claims,
      keysOf: (object) => {
        const owner = controllerOf(object)
        const name =
          owner?.kind === 'DataVolume'
            ? owner.name
            : claim.annotation(object, annotationKeys.populatedFor)
        return name === undefined ? [] : [{ namespace: object.metadata.namespace, name }]
      },
    },
    // A missing storage class may have been created.
    {
      kind: names.profiles,
      keysOf: (_profile, client) =>
        client.list(names.dataVolumes).filter(hasNoPhase).flatMap(ownKey),
    },
  ],
  reconcile(client, { namespace, name }) {
    const volume = client.get(names.dataVolumes, namespace, name)
    if (!volume) return undefined
    const object = client.get(names.claims, namespace, name)
    if (isDeleted(volume)) return object ? undefined : reportMissingClaim(client, volume)
    if (!object)
      return isFilledElsewhere(volume) ? awaitClaim(client, volume) : createClaim(client, volume)
    // A PVC that is being deleted no longer belongs to the DataVolume.
    return isDeleted(object) ? undefined : follow(client, volume, adopted(client, volume, object))
  },
}

const hasNoPhase = (volume: KubeObject): boolean => read.status(volume).phase === undefined

const notTrue: ConditionUpdate = { status: 'False' }

function createClaim(client: Client, volume: KubeObject): number | undefined {
  const marked = client.change(
    names.dataVolumes,
    volume,
    annotated(volume, { [annotationKeys.usePopulator]: 'true' }),
  )
  const origin = clonedSourceOf(volume)
  const problem = origin && cloneProblem(client, volume, origin)
  if (problem)
    return refuse(client, marked, {
      Bound: { status: 'False', ...problem },
      Ready: { status: 'False', reason: problem.reason },
    })
  const source = sourceOf(volume)
  const object = targetClaim(client, volume, source)
  if ('reason' in object && typeof object.reason === 'string') {
    client.record(volume, {
      type: 'Warning',
      reason: object.reason,
      message: String(object.message),
    })
    const condition: ConditionUpdate = {
      status: 'False',
      reason: object.reason,
      message: String(object.message),
    }
    return refuse(client, marked, { Bound: condition, Ready: condition })
  }
  // `targetClaim` returns either a problem, handled above, or a PVC.
  return request(client, marked, { object: object as KubeObject, source })
}

/** Records why no PVC can be created, and retries later because the missing object may appear. */
function refuse(
  client: Client,
  volume: KubeObject,
  condition: Record<'Bound' | 'Ready', ConditionUpdate>,
): number {
  reportStatus(client, volume, { conditions: { ...condition, Running: notTrue } })
  return client.world.pace.msOf('provisionAgain')
}

function request(
  client: Client,
  volume: KubeObject,
  { object, source }: { object: KubeObject; source: PopulatorSource | null },
): number | undefined {
  try {
    if (source) writeSource(client, volume, source)
    client.create(names.claims, object)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error
    const reason = error.message.includes('exceeded quota')
      ? 'ErrExceededQuota'
      : 'ErrUnableToCreatePVC'
    const condition: ConditionUpdate = { status: 'False', reason, message: error.message }
    client.record(volume, { type: 'Warning', reason, message: error.message })
    reportStatus(client, volume, {
      phase: 'Pending',
      conditions: { Bound: condition, Ready: condition, Running: notTrue },
    })
    return client.world.pace.msOf('provisionAgain')
  }
  return reportsBeforeClaim(volume, source) && !isClaimCached(client, volume)
    ? reportMissingClaim(client, volume)
    : undefined
}

/**
 * CDI usually reports the phase of an import before its cache shows the new PVC. It reports clones
 * and uploads afterwards.
 */
const reportsBeforeClaim = (volume: KubeObject, source: PopulatorSource | null): boolean =>
  !hasNoPhase(volume) || source === null || source.kind === 'VolumeImportSource'

/**
 * True when the informer cache receives the new PVC before the next reconcile, which happens now
 * and then.
 */
const isClaimCached = (client: Client, { metadata: { namespace } }: KubeObject): boolean =>
  cachesOf(client).lagMs([names.claims], namespace) < client.world.pace.msOf('write')

/** Reports `NotFound` while the PVC does not exist yet, or no longer exists. */
function reportMissingClaim(client: Client, volume: KubeObject): undefined {
  const phase = read.text(read.status(volume).phase) || 'Pending'
  const Bound: ConditionUpdate = { status: 'False', reason: 'NotFound', message: 'No PVC found' }
  reportStatus(client, volume, {
    phase,
    conditions: {
      Bound,
      Ready: { status: phase === 'Succeeded' ? 'True' : 'False' },
      Running: notTrue,
    },
  })
}

function sourceOf(volume: KubeObject): PopulatorSource | null {
  const spec = read.spec(volume)
  const uid = volume.metadata.uid ?? ''
  if (spec.source === undefined) return null
  const source = read.map(spec.source)
  const namespace = volume.metadata.namespace ?? ''
  const origin = clonedSourceOf(volume)
  if (origin) {
    const name = `volume-clone-source-${uid}`
    return {
      kind: 'VolumeCloneSource',
      name,
      namespace: origin.namespace,
      spec: { source: sourceReference(origin) },
    }
  }
  const shared = {
    contentType: read.text(spec.contentType) || 'kubevirt',
    preallocation: spec.preallocation ?? false,
  }
  if (source.upload !== undefined)
    return {
      kind: 'VolumeUploadSource',
      name: `volume-upload-source-${uid}`,
      namespace,
      spec: shared,
    }
  return {
    kind: 'VolumeImportSource',
    name: `volume-import-source-${uid}`,
    namespace,
    spec: { ...shared, source },
  }
}

const plurals = {
  VolumeImportSource: 'volumeimportsources.cdi.kubevirt.io',
  VolumeUploadSource: 'volumeuploadsources.cdi.kubevirt.io',
  VolumeCloneSource: 'volumeclonesources.cdi.kubevirt.io',
} as const

function writeSource(
  client: Client,
  volume: KubeObject,
  { kind, name, namespace, spec }: PopulatorSource,
): void {
  const isBeside = namespace === volume.metadata.namespace
  if (client.get(plurals[kind], namespace, name)) return
  client.create(plurals[kind], {
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind,
    spec,
    metadata: { name, namespace, ...(isBeside ? { ownerReferences: [ownedBy(volume)] } : {}) },
  })
}

function follow(client: Client, volume: KubeObject, object: KubeObject): number | undefined {
  const cloned = isIdle(client, object) ? null : clonePhase(volume, object)
  const phase = cloned?.phase ?? phaseOf(client, volume, object)
  const Running = runningOf(object)
  const before = read.status(volume).phase
  const bindingMs = isBinding(volume, object) ? client.remainingMs('tellBinding', volume) : 0
  const Bound = bindingMs > 0 ? pending(object) : boundOf(object)
  const conditions = { Bound, Ready: readyOf(phase, Running), Running }
  const updated = reportStatus(client, volume, { ...statusChanges(phase, object), conditions })
  const event = cloned ?? eventOf(phase, volume)
  if (before !== phase && event)
    client.record(updated, { type: 'Normal', reason: event.reason, message: event.message })
  return bindingMs > 0 ? bindingMs : undefined
}

/** After an import, CDI reports the `Bound` condition as true with a delay. */
function isBinding(volume: KubeObject, object: KubeObject): boolean {
  const Bound = read.maps(read.status(volume).conditions).find(({ type }) => type === 'Bound')
  return (
    claim.isBound(object) &&
    claim.source(object).kind === 'VolumeImportSource' &&
    Bound?.status !== 'True'
  )
}

/** Another controller creates and fills the PVC, for example a VirtualMachineRestore. */
const isFilledElsewhere = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.[annotationKeys.prePopulated] !== undefined

function awaitClaim(client: Client, volume: KubeObject): undefined {
  const Bound: ConditionUpdate = { status: 'False', reason: 'NotFound', message: 'No PVC found' }
  reportStatus(client, volume, {
    phase: 'Pending',
    conditions: { Bound, Ready: notTrue, Running: notTrue },
  })
}

/**
 * Adopts an existing PVC of the same name when an annotation of the PVC or the DataVolume permits
 * it.
 */
function adopted(client: Client, volume: KubeObject, object: KubeObject): KubeObject {
  const { name, annotations } = volume.metadata
  const isMeant = claim.annotation(object, annotationKeys.populatedFor) === name
  const mayAdopt = isMeant || annotations?.['cdi.kubevirt.io/allowClaimAdoption'] === 'true'
  if (!mayAdopt || controllerOf(object)) return object
  return client.change(names.claims, object, {
    ...object,
    metadata: { ...object.metadata, ownerReferences: [ownedBy(volume)] },
  })
}

function statusChanges(phase: string, object: KubeObject): VolumeStatusChange {
  const restarts = Number(claim.annotation(object, annotationKeys.podRestarts) ?? 0)
  const isDone = phase === 'Succeeded' && !isUnfinished(object)
  return {
    ...(phase === '' ? {} : { phase }),
    claimName: object.metadata.name,
    progress: isDone ? '100.0%' : (claim.annotation(object, annotationKeys.progress) ?? 'N/A'),
    ...(restarts > 0 ? { restartCount: restarts } : {}),
  }
}

function readyOf(phase: string, { status }: ConditionUpdate): ConditionUpdate {
  if (phase === 'Succeeded') return { status: 'True' }
  return status === 'True' ? { status: 'False', reason: 'TransferRunning' } : notTrue
}

const pending = ({ metadata: { name } }: KubeObject): ConditionUpdate => ({
  status: 'False',
  reason: 'Pending',
  message: `PVC ${name} Pending`,
})

function boundOf(object: KubeObject): ConditionUpdate {
  const observed = read.text(read.status(object).phase) || 'Pending'
  return {
    status: observed === 'Bound' ? 'True' : 'False',
    reason: observed,
    message: `PVC ${object.metadata.name} ${observed}`,
  }
}

const isUnfinished = (object: KubeObject): boolean =>
  !claim.isBound(object) &&
  claim.isPopulated(object) &&
  claim.annotation(object, annotationKeys.podPhase) !== 'Succeeded'

const events: Readonly<Record<string, { reason: string; message: (name: string) => string }>> = {
  ImportScheduled: {
    reason: 'ImportScheduled',
    message: (name) => `Import into ${name} scheduled`,
  },
  ImportInProgress: {
    reason: 'ImportInProgress',
    message: (name) => `Import into ${name} in progress`,
  },
  UploadScheduled: {
    reason: 'UploadScheduled',
    message: (name) => `Upload into ${name} scheduled`,
  },
  UploadReady: { reason: 'UploadReady', message: (name) => `Upload into ${name} ready` },
  Succeeded: {
    reason: 'ImportSucceeded',
    message: (name) => `Successfully imported into PVC ${name}`,
  },
}

function eventOf(
  phase: string,
  { metadata: { name } }: KubeObject,
): { reason: string; message: string } | null {
  const event = events[phase]
  return event ? { reason: event.reason, message: event.message(name) } : null
}

function phaseOf(client: Client, volume: KubeObject, object: KubeObject): string {
  const before = read.text(read.status(volume).phase)
  if (read.status(object).phase === 'Lost') return 'Failed'
  const pod = claim.annotation(object, annotationKeys.podPhase)
  if (claim.isBound(object) || pod === 'Succeeded') return 'Succeeded'
  if (claim.source(object).kind === 'VolumeUploadSource') {
    return claim.annotation(object, annotationKeys.podReady) === 'true' ? 'UploadReady' : before
  }
  return importPhase(object, pod) ?? (isIdle(client, object) ? 'PendingPopulation' : before)
}

function importPhase(object: KubeObject, pod: string | undefined): string | null {
  if (pod === 'Running') return 'ImportInProgress'
  return pod === 'Pending' && claim.annotation(object, annotationKeys.schedulable) === 'true'
    ? 'ImportScheduled'
    : null
}

/** True while no pod uses the PVC and immediate binding is not requested. */
const isIdle = (client: Client, object: KubeObject): boolean =>
  claim.isPopulated(object) &&
  claim.waitsForConsumer(client, object) &&
  claim.annotation(object, annotationKeys.immediate) === undefined

function runningOf(object: KubeObject): ConditionUpdate {
  const running = claim.annotation(object, annotationKeys.running)
  if (running !== undefined) {
    const [reason, message] = [annotationKeys.runningReason, annotationKeys.runningMessage].map(
      (mark) => claim.annotation(object, mark) ?? '',
    )
    return {
      status: running === 'true' ? 'True' : 'False',
      ...(reason ? { reason } : {}),
      ...(message ? { message } : {}),
    }
  }
  const isStuck = claim.annotation(object, annotationKeys.schedulable) === 'false'
  return isStuck
    ? { status: 'False', reason: 'Unschedulable', message: 'Importer pod cannot be scheduled' }
    : notTrue
}
