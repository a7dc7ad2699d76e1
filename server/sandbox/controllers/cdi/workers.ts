import { clock } from '../../clock.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { isDeleted } from '../finalizers.ts'
import { controllerOf } from '../owners.ts'
import { read } from '../../objects/read.ts'
import { claim } from '../../objects/storage/claim.ts'
import { content } from '../storage/content.ts'
import { names } from '../../objects/storage/names.ts'
import { type DownloadOptions, download } from './download.ts'
import { annotationKeys } from './annotation-keys.ts'
import { setProgress } from './progress.ts'

interface Run {
  stop: AbortController
  /** The error message of finished work; empty after success, null while the work runs. */
  end: string | null
}

const runs = new Map<string, Run>()
const maxBackOffMs = 300_000

/**
 * The kubelet of CDI's worker pods. The progress of a worker is not stored: after a kill the pod is
 * still Running, and its work starts from the beginning, as in a restarted container.
 */
export const workers: Controller = {
  name: 'kubelet',
  fieldManager: 'kubelet',
  sources: [{ kind: 'pods', keysOf: (pod) => (isWorker(pod) ? ownKey(pod) : []) }],
  reconcile(client, { namespace, name }) {
    const pod = client.get('pods', namespace, name)
    if (!pod || !isWorker(pod)) return undefined
    const uid = pod.metadata.uid ?? ''
    if (isDeleted(pod)) return halt(uid)
    return read.spec(pod).nodeName === undefined ? undefined : superviseWorker(client, pod)
  },
}

function superviseWorker(client: Client, pod: KubeObject): number | undefined {
  const { phase } = read.status(pod)
  if (phase === 'Succeeded' || phase === 'Failed') return undefined
  if (phase !== 'Running') return start(client, pod)
  return read.at(containerOf(pod), 'state', 'running') === undefined
    ? startAgain(client, pod)
    : work(client, pod)
}

const isWorker = ({ metadata }: KubeObject): boolean =>
  metadata.labels?.['app'] === names.cdiLabels.app

const containerOf = (pod: KubeObject): JsonMap | undefined =>
  read.maps(read.status(pod).containerStatuses)[0]

function halt(uid: string): undefined {
  runs.get(uid)?.stop.abort()
  runs.delete(uid)
  setProgress(uid, null)
  return undefined
}

function start(client: Client, pod: KubeObject): number | undefined {
  const waitMs = client.remainingMs('podStart', pod)
  if (waitMs > 0) return waitMs
  setContainer(client, pod, {
    state: { running: { startedAt: clock.timestamp() } },
    ready: true,
    restartCount: 0,
  })
  return undefined
}

function startAgain(client: Client, pod: KubeObject): number | undefined {
  const container = containerOf(pod) ?? {}
  const restarts = Number(container.restartCount ?? 0)
  const since = Date.parse(read.text(read.at(container, 'lastState', 'terminated', 'finishedAt')))
  const backOffMs = Math.min(
    maxBackOffMs,
    client.world.pace.msOf('crashBackOff') * 2 ** Math.min(restarts - 1, 10),
  )
  const leftMs = since + backOffMs - clock.nowMs()
  if (leftMs > 0) return leftMs
  const state = { running: { startedAt: clock.timestamp() } }
  setContainer(client, pod, { ...container, state, ready: true })
  return undefined
}

function setContainer(
  client: Client,
  pod: KubeObject,
  { phase = 'Running', ...changes }: JsonMap,
): void {
  const [spec] = read.maps(read.spec(pod).containers)
  const isReady = changes.ready === true
  const container = {
    name: read.text(spec?.name),
    image: read.text(spec?.image),
    imageID: '',
    ...changes,
    started: isReady,
  }
  const conditions = [
    ...read.maps(read.status(pod).conditions).filter(({ type }) => type !== 'Ready'),
    {
      type: 'Ready',
      status: isReady ? 'True' : 'False',
      lastProbeTime: null,
      lastTransitionTime: clock.timestamp(),
    },
  ]
  client.setStatus('pods', pod, {
    ...read.status(pod),
    phase,
    conditions,
    podIP: '10.244.0.9',
    containerStatuses: [container],
  })
}

function work(client: Client, pod: KubeObject): number | undefined {
  const uid = pod.metadata.uid ?? ''
  const known = runs.get(uid)
  const run = known ?? startWork(client, pod)
  if (run === null) return undefined
  // Even an empty disk takes a moment.
  if (run.end === null || !known) return client.world.pace.msOf('progress') / 4
  runs.delete(uid)
  setProgress(uid, null)
  finish(client, pod, run.end)
  return undefined
}

function finish(client: Client, pod: KubeObject, why: string): void {
  const finishedAt = clock.timestamp()
  const startedAt = read.at(containerOf(pod), 'state', 'running', 'startedAt')
  const isGood = why === ''
  const terminated = {
    exitCode: isGood ? 0 : 1,
    reason: isGood ? 'Completed' : 'Error',
    message: isGood ? 'Import Complete' : why,
    startedAt,
    finishedAt,
  }
  if (isGood)
    return setContainer(client, pod, {
      phase: 'Succeeded',
      ready: false,
      restartCount: containerOf(pod)?.restartCount ?? 0,
      state: { terminated },
    })
  const waiting = { reason: 'CrashLoopBackOff', message: 'back-off restarting failed container' }
  const restartCount = Number(containerOf(pod)?.restartCount ?? 0) + 1
  setContainer(client, pod, {
    ready: false,
    restartCount,
    state: { waiting },
    lastState: { terminated },
  })
}

/** Starts the work of an importer; null for an upload server, which waits for a client. */
function startWork(client: Client, pod: KubeObject): Run | null {
  const prime = client.get(names.claims, pod.metadata.namespace, controllerOf(pod)?.name ?? '')
  if (!prime || claim.annotation(prime, annotationKeys.uploadTarget) !== undefined) return null
  const run: Run = { stop: new AbortController(), end: null }
  runs.set(pod.metadata.uid ?? '', run)
  const options = downloadOptionsOf(client, prime, run)
  if (options === null) {
    // The disk is empty, or comes from a registry, which the sandbox does not contact.
    run.end = ''
    return run
  }
  void download(options, (fraction) => setProgress(pod.metadata.uid ?? '', fraction)).then(
    () => (run.end = ''),
    (error: unknown) => (run.end = error instanceof Error ? error.message : String(error)),
  )
  return run
}

function downloadOptionsOf(
  client: Client,
  prime: KubeObject,
  { stop }: Run,
): DownloadOptions | null {
  if (claim.annotation(prime, annotationKeys.source) !== 'http') return null
  const config = client.get(
    'configmaps',
    prime.metadata.namespace,
    claim.annotation(prime, annotationKeys.certs) ?? '',
  )
  const size = claim.capacity(prime)
  return {
    url: claim.annotation(prime, annotationKeys.endpoint) ?? '',
    path: content.path(client.world, `pvc-${prime.metadata.uid}`),
    // The reserved share of the file system is not available to the image.
    limitBytes: read.spec(prime).volumeMode === 'Block' ? size : Math.floor(size / 1.06),
    certificates: Object.values(read.map(config?.data)).map(String),
    isInsecure: claim.annotation(prime, annotationKeys.insecure) === 'true',
    checksum: claim.annotation(prime, annotationKeys.checksum) ?? null,
    signal: stop.signal,
  }
}
