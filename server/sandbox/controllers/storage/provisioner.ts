import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { isDeleted, withFinalizer } from '../finalizers.ts'
import { filled, read } from '../../objects/read.ts'
import { numberOf } from '../../quantity.ts'
import { claim } from '../../objects/storage/claim.ts'
import { content } from './content.ts'
import { names } from '../../objects/storage/names.ts'

const drivers: readonly string[] = [names.driver, names.localDriver]

/** The external provisioner of the CSI drivers: creates a volume for each PVC that requests one. */
export const provisioner: Controller = {
  name: 'csi.example.com_csi-provisioner-0',
  fieldManager: 'csi-provisioner',
  sources: [
    { kind: names.claims, keysOf: ownKey },
    // The snapshot that a PVC is created from may have become ready.
    {
      kind: names.snapshots,
      keysOf: (_snapshot, client) =>
        client.list(names.claims).flatMap((each) => (needsVolume(each) ? ownKey(each) : [])),
    },
  ],
  reconcile(client, { namespace, name }) {
    const object = client.get(names.claims, namespace, name)
    if (!object || !needsVolume(object) || isDeleted(object)) return undefined
    if (claim.isPopulated(object)) {
      const message = 'Assuming an external populator will provision the volume'
      if (!hasVolume(client, object))
        client.record(object, { type: 'Normal', reason: 'Provisioning', message })
      return undefined
    }
    return hasVolume(client, object) ? undefined : provision(client, object)
  },
}

const needsVolume = (object: KubeObject): boolean =>
  claim.volumeName(object) === '' &&
  drivers.includes(claim.annotation(object, names.provisioner) ?? '')

const volumeName = (object: KubeObject): string => `pvc-${object.metadata.uid}`
const hasVolume = (client: Client, object: KubeObject): boolean =>
  client.get(names.volumes, undefined, volumeName(object)) !== undefined

function provision(client: Client, object: KubeObject): number | undefined {
  const waitMs = client.remainingMs('provision', object)
  if (waitMs > 0) return waitMs
  const message = `External provisioner is provisioning volume for claim "${object.metadata.namespace}/${object.metadata.name}"`
  client.record(object, { type: 'Normal', reason: 'Provisioning', message })
  const why = sourceProblem(client, object)
  if (why !== null) {
    const text = `failed to provision volume with StorageClass "${read.text(read.spec(object).storageClassName)}": ${why}`
    client.record(object, { type: 'Warning', reason: 'ProvisioningFailed', message: text })
    return client.world.pace.msOf('provisionAgain')
  }
  copyContent(client, object)
  const volume = client.create(names.volumes, volumeFor(client, object))
  client.setStatus(names.volumes, volume, { phase: 'Pending' })
  const done = `Successfully provisioned volume ${volume.metadata.name}`
  client.record(object, { type: 'Normal', reason: 'ProvisioningSucceeded', message: done })
  return undefined
}

function sourceProblem(client: Client, object: KubeObject): string | null {
  const { namespace } = object.metadata
  const { kind, name: from } = claim.source(object)
  const name = read.text(from)
  if (kind === 'PersistentVolumeClaim') {
    const source = client.get(names.claims, namespace, name)
    if (!source)
      return `error getting PVC ${name} (namespace "${namespace}") from api server: persistentvolumeclaims "${name}" not found`
    if (!claim.isBound(source)) return `the PVC ${name} is not in bound state`
    const isSmaller = claim.bytes(object) < claim.capacity(source)
    return isSmaller
      ? `requested volume size must be greater than or equal to the size of the source PVC ${name}`
      : null
  }
  if (kind !== 'VolumeSnapshot') return null
  const snapshot = client.get(names.snapshots, namespace, name)
  if (!snapshot)
    return `error getting snapshot ${name} from api server: volumesnapshots.snapshot.storage.k8s.io "${name}" not found`
  if (read.status(snapshot).readyToUse !== true)
    return `error getting handle for DataSource Type VolumeSnapshot by Name ${name}: snapshot ${name} is not Ready`
  const restoreBytes = numberOf(read.status(snapshot).restoreSize) ?? 0
  if (claim.bytes(object) >= restoreBytes) return null
  return `error getting handle for DataSource Type VolumeSnapshot by Name ${name}: requested volume size ${claim.bytes(object)} is less than the size ${restoreBytes} for the source snapshot ${name}`
}

/**
 * Copies the initial content of the volume. The source snapshot has a finalizer during the copy.
 */
function copyContent(client: Client, object: KubeObject): void {
  const { kind, name } = claim.source(object)
  const snapshot =
    kind === 'VolumeSnapshot'
      ? client.get(names.snapshots, object.metadata.namespace, read.text(name))
      : undefined
  const protectedSnapshot =
    snapshot &&
    client.change(names.snapshots, snapshot, withFinalizer(snapshot, names.snapshotInUse))
  const origin = originHandle(client, object)
  if (origin !== null) content.copy(client.world, origin, volumeName(object))
  if (protectedSnapshot) client.release(names.snapshots, protectedSnapshot, names.snapshotInUse)
}

/** The handle of the content that the volume begins with; null for an empty volume. */
function originHandle(client: Client, object: KubeObject): string | null {
  const { namespace } = object.metadata
  const { kind, name } = claim.source(object)
  const source =
    kind === 'PersistentVolumeClaim'
      ? client.get(names.claims, namespace, read.text(name))
      : undefined
  if (source) return claim.volumeName(source)
  const snapshot =
    kind === 'VolumeSnapshot' ? client.get(names.snapshots, namespace, read.text(name)) : undefined
  return snapshot ? read.text(read.status(snapshot).boundVolumeSnapshotContentName) : null
}

function volumeFor(client: Client, object: KubeObject): KubeObject {
  const { namespace, name, uid, resourceVersion } = object.metadata
  const { accessModes, volumeMode, storageClassName } = read.spec(object)
  const driver = claim.annotation(object, names.provisioner)
  const node = claim.annotation(object, names.selectedNode)
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: volumeName(object),
      finalizers: [names.provisionerFinalizer, names.volumeProtection],
      annotations: {
        'pv.kubernetes.io/provisioned-by': driver ?? '',
        'volume.kubernetes.io/provisioner-deletion-secret-name': '',
        'volume.kubernetes.io/provisioner-deletion-secret-namespace': '',
      },
    },
    spec: filled({
      capacity: { storage: claim.size(object) },
      accessModes,
      volumeMode,
      storageClassName,
      claimRef: {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        namespace,
        name,
        uid,
        resourceVersion,
      },
      csi: { driver, volumeHandle: volumeName(object) },
      persistentVolumeReclaimPolicy: claim.classOf(client, object)?.reclaimPolicy ?? 'Delete',
      nodeAffinity: driver === names.localDriver && node !== undefined ? onNode(node) : undefined,
    }),
  }
}

const onNode = (node: string): JsonMap => ({
  required: {
    nodeSelectorTerms: [
      { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] },
    ],
  },
})
