import { type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { isDeleted } from '../finalizers.ts'
import { read } from '../../objects/read.ts'
import { indexed } from '../store-index.ts'
import { annotated, claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'

/**
 * Binds PVCs to volumes, and asks the CSI driver of the class to provision one when there is none.
 */
export const claimBinder: Controller = {
  name: 'persistentvolume-controller',
  sources: [
    { kind: names.claims, keysOf: ownKey },
    {
      kind: names.volumes,
      keysOf: (volume, client) => [
        keyOfRef(volume),
        // A volume that was bound to another PVC leaves its previous one.
        ...claimsByVolume(client, volume.metadata.name).flatMap(ownKey),
      ],
    },
    {
      kind: names.classes,
      keysOf: (_class, client) =>
        client.list(names.claims).flatMap((each) => (claim.isBound(each) ? [] : ownKey(each))),
    },
  ],
  reconcile(client, { namespace, name }) {
    const object = client.get(names.claims, namespace, name)
    if (!object) return undefined
    if (claim.volumeName(object) !== '') return followVolume(client, object)
    if (!isDeleted(object)) bind(client, object)
    return undefined
  },
}

function keyOfRef(volume: KubeObject): { namespace: string; name: string } {
  const ref = read.map(read.spec(volume).claimRef)
  return { namespace: read.text(ref.namespace), name: read.text(ref.name) }
}

const refUid = (volume: KubeObject): string => read.text(read.at(volume, 'spec', 'claimRef', 'uid'))

const volumesByClaim = indexed(names.volumes, (volume) => [refUid(volume)])
const claimsByVolume = indexed(names.claims, (object) => [claim.volumeName(object)])

function bind(client: Client, object: KubeObject): void {
  const volume = volumesByClaim(client, object.metadata.uid ?? '')[0]
  if (volume) {
    const marks = {
      'pv.kubernetes.io/bind-completed': 'yes',
      'pv.kubernetes.io/bound-by-controller': 'yes',
    }
    client.change(names.claims, object, {
      ...annotated(object, marks),
      spec: { ...read.spec(object), volumeName: volume.metadata.name },
    })
    return
  }
  requestVolume(client, object)
}

function requestVolume(client: Client, object: KubeObject): void {
  const className = read.text(read.spec(object).storageClassName)
  const storageClass = claim.classOf(client, object)
  if (className === '') {
    const message = 'no persistent volumes available for this claim and no storage class is set'
    client.record(object, { type: 'Normal', reason: 'FailedBinding', message })
  } else if (!storageClass) {
    const message = `storageclass.storage.k8s.io "${className}" not found`
    client.record(object, { type: 'Warning', reason: 'ProvisioningFailed', message })
  } else if (claim.waitsForConsumer(client, object)) {
    const message = 'waiting for first consumer to be created before binding'
    client.record(object, { type: 'Normal', reason: 'WaitForFirstConsumer', message })
  } else if (claim.annotation(object, names.provisioner) === undefined) {
    const driver = read.text(storageClass.provisioner)
    const message = `Waiting for a volume to be created either by the external provisioner '${driver}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`
    client.change(
      names.claims,
      object,
      annotated(object, { [names.betaProvisioner]: driver, [names.provisioner]: driver }),
    )
    client.record(object, { type: 'Normal', reason: 'ExternalProvisioning', message })
  }
}

/** Updates a PVC that names its volume: Bound when the volume refers back to it, else Lost. */
function followVolume(client: Client, object: KubeObject): number | undefined {
  const volume = client.get(names.volumes, undefined, claim.volumeName(object))
  const status = read.status(object)
  if (volume && refUid(volume) === object.metadata.uid) {
    if (status.phase === 'Bound') return undefined
    const { accessModes, capacity } = read.spec(volume)
    client.setStatus(names.claims, object, { ...status, phase: 'Bound', accessModes, capacity })
    return undefined
  }
  if (status.phase === 'Lost') return undefined
  // Kubernetes detects a lost volume only at the periodic resync of all PVCs.
  const waitMs = isDeleted(object) ? 0 : client.remainingMs('claimResync', object)
  if (waitMs > 0) return waitMs
  const why = volume
    ? {
        reason: 'ClaimMisbound',
        message: 'Two claims are bound to the same volume, this one is bound incorrectly',
      }
    : {
        reason: 'ClaimLost',
        message: 'Bound claim has lost its PersistentVolume. Data on the volume is lost!',
      }
  client.setStatus(names.claims, object, { phase: 'Lost' })
  client.record(object, { type: 'Warning', ...why })
  return undefined
}
