import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { isDeleted } from '../finalizers.ts'
import { controllerOf, ownedBy } from '../owners.ts'
import { read } from '../../objects/read.ts'
import { annotated, claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'
import { annotationKeys } from './annotation-keys.ts'
import { progressOf } from './progress.ts'

/** Creates a worker pod for each PVC to fill, and annotates the PVC with the state of the pod. */
export const importers: Controller = {
  name: 'import-controller',
  sources: [
    { kind: names.claims, keysOf: ownKey },
    {
      kind: 'pods',
      keysOf: (pod) => {
        const owner = controllerOf(pod)
        return owner?.kind === 'PersistentVolumeClaim'
          ? [{ namespace: pod.metadata.namespace, name: owner.name }]
          : []
      },
    },
  ],
  reconcile(client, { namespace, name }) {
    const prime = client.get(names.claims, namespace, name)
    if (
      !prime ||
      isDeleted(prime) ||
      !handledSources.includes(claim.annotation(prime, annotationKeys.populatorKind) ?? '')
    )
      return undefined
    if (needsNoWorker(prime)) return undefined
    const podName = podNameOf(prime)
    const pod = client.get('pods', namespace, podName)
    const marked = client.change(
      names.claims,
      prime,
      annotated(prime, { [podNameKey(prime)]: podName, ...boundAnnotations(prime) }),
    )
    if (!pod) client.create('pods', podFor(marked))
    else if (
      needsScratch(marked) &&
      !isDeleted(pod) &&
      !client.get(names.claims, namespace, scratchName(marked))
    )
      createScratch(client, marked, pod)
    else return trackPod(client, marked, pod)
    return undefined
  },
}

/** Clones need no worker pod: the clone populator and the CSI driver fill them. */
const handledSources: readonly string[] = ['VolumeImportSource', 'VolumeUploadSource']

const isUpload = (prime: KubeObject): boolean =>
  claim.annotation(prime, annotationKeys.populatorKind) === 'VolumeUploadSource'
const podNameKey = (prime: KubeObject): string =>
  isUpload(prime) ? annotationKeys.uploadPodName : annotationKeys.podName
const podNameOf = (prime: KubeObject): string =>
  `${isUpload(prime) ? 'cdi-upload' : 'importer'}-${prime.metadata.name}`

/** True when the pod has finished, or the volume was already bound to the target PVC. */
function needsNoWorker(prime: KubeObject): boolean {
  return (
    claim.annotation(prime, annotationKeys.podPhase) === 'Succeeded' ||
    read.status(prime).phase === 'Lost'
  )
}

/** Uploads and registry images may be compressed and are unpacked in a scratch PVC. */
const needsScratch = (prime: KubeObject): boolean =>
  isUpload(prime) || claim.annotation(prime, annotationKeys.source) === 'registry'
const scratchName = ({ metadata }: KubeObject): string => `${metadata.name}-scratch`

function createScratch(client: Client, prime: KubeObject, pod: KubeObject): void {
  if (['Succeeded', 'Failed'].includes(read.text(read.status(pod).phase))) return
  const { namespace } = prime.metadata
  const megabyte = 1024 ** 2
  client.create(names.claims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: scratchName(prime),
      ...(namespace === undefined ? {} : { namespace }),
      ownerReferences: [ownedBy(pod)],
      labels: { ...names.cdiLabels, 'velero.io/exclude-from-backup': 'true' },
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: read.text(read.spec(prime).storageClassName),
      resources: {
        requests: { storage: String(Math.ceil(claim.bytes(prime) / megabyte) * megabyte) },
      },
      volumeMode: 'Filesystem',
    },
  })
}

const boundAnnotations = (prime: KubeObject): Record<string, string | undefined> =>
  claim.isBound(prime)
    ? { [annotationKeys.bound]: undefined, [annotationKeys.boundReason]: undefined }
    : { [annotationKeys.bound]: 'false', [annotationKeys.boundReason]: 'Pending' }

function trackPod(client: Client, prime: KubeObject, pod: KubeObject): number | undefined {
  const phase = read.text(read.status(pod).phase) || 'Pending'
  client.change(names.claims, prime, annotated(prime, podAnnotations(prime, pod, phase)))
  if (phase === 'Succeeded' && !isDeleted(pod)) {
    client.record(prime, {
      type: 'Normal',
      reason: 'ImportSucceeded',
      message: 'Import Successful',
    })
    client.remove('pods', pod)
  }
  return phase === 'Running' && !isUpload(prime) ? client.world.pace.msOf('progress') : undefined
}

function podAnnotations(prime: KubeObject, pod: KubeObject, phase: string): Record<string, string> {
  const [container] = read.maps(read.status(pod).containerStatuses)
  const progress = phase === 'Running' ? progressOf(pod) : undefined
  const ready = { [annotationKeys.podReady]: String(container?.ready === true) }
  const scheduled = { [annotationKeys.schedulable]: String(read.spec(pod).nodeName !== undefined) }
  return {
    [annotationKeys.podPhase]: phase,
    ...(isUpload(prime) ? ready : scheduled),
    ...(container ? { [annotationKeys.podRestarts]: String(container.restartCount ?? 0) } : {}),
    ...(progress === undefined ? {} : { [annotationKeys.progress]: progress }),
    ...runningConditionAnnotations(phase, container),
  }
}

function runningConditionAnnotations(
  phase: string,
  container: JsonMap | undefined,
): Record<string, string> {
  if (phase === 'Succeeded') return runningAnnotations('false', 'Completed', 'Import Complete')
  if (phase !== 'Running') return {}
  if (read.at(container, 'state', 'running') !== undefined)
    return runningAnnotations('true', 'Pod is running', '')
  const { reason, message } = read.map(read.at(container, 'lastState', 'terminated'))
  return runningAnnotations('false', read.text(reason) || 'Error', read.text(message))
}

const runningAnnotations = (
  running: string,
  reason: string,
  message: string,
): Record<string, string> => ({
  [annotationKeys.running]: running,
  [annotationKeys.runningReason]: reason,
  [annotationKeys.runningMessage]: message,
})

function podFor(prime: KubeObject): KubeObject {
  const { namespace, name } = prime.metadata
  const own: Record<string, string> = isUpload(prime)
    ? {
        'cdi.kubevirt.io': 'cdi-upload-server',
        'cdi.kubevirt.io/uploadTarget': prime.metadata.uid ?? '',
        service: podNameOf(prime),
      }
    : {
        'cdi.kubevirt.io': 'importer',
        'prometheus.cdi.kubevirt.io': 'true',
        'alerts.k8s.io/KubePersistentVolumeFillingUp': 'disabled',
      }
  const container = isUpload(prime) ? 'cdi-upload-server' : 'importer'
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podNameOf(prime),
      ...(namespace === undefined ? {} : { namespace }),
      ownerReferences: [ownedBy(prime)],
      labels: { ...names.cdiLabels, ...own },
      annotations: { 'cdi.kubevirt.io/storage.createdByController': 'yes' },
    },
    spec: {
      restartPolicy: 'OnFailure',
      containers: [
        {
          name: container,
          image: `quay.io/kubevirt/cdi-${isUpload(prime) ? 'uploadserver' : 'importer'}:v1.66.0`,
          resources: {
            limits: { cpu: '750m', memory: '600M' },
            requests: { cpu: '100m', memory: '60M' },
          },
          volumeMounts: [{ name: 'cdi-data-vol', mountPath: '/data' }],
        },
      ],
      volumes: [
        { name: 'cdi-data-vol', persistentVolumeClaim: { claimName: name } },
        ...(needsScratch(prime)
          ? [{ name: 'cdi-scratch-vol', persistentVolumeClaim: { claimName: scratchName(prime) } }]
          : []),
      ],
    },
    status: { phase: 'Pending' },
  }
}
