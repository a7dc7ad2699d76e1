import { checkedLongName, checkedName } from '../../engine/kube/refs.ts'
import {
  type DesiredDataVolume,
  type DesiredVolume,
  type DesiredVolumeSnapshot,
} from '../desired/storage.ts'
import { type Content, optionalField } from '../../engine/kube/content/manifest.ts'

/**
 * Builds the DataVolume, through which CDI creates and fills a volume. * Uses `storage` and not
 * `pvc`: CDI then chooses modes that the class supports and adds the overhead of a file system.
 */
export const dataVolumeContent = ({
  source,
  sizeGi,
  storageClass,
}: DesiredDataVolume): Content => ({
  spec: {
    source: sourceOf(source),
    storage: {
      ...optionalField('resources', sizeGi === null ? null : requested(sizeGi)),
      ...optionalField('storageClassName', storageClass),
    },
  },
})

function sourceOf(source: DesiredDataVolume['source']): Content {
  switch (source.kind) {
    case 'http':
      return { http: { url: source.url, ...optionalField('checksum', source.checksum) } }
    case 'registry':
      // Pulls with a pod of CDI. A pull by the node would need room for the whole image there and
      // would report no progress.
      return { registry: { url: `docker://${source.image}`, pullMethod: 'pod' } }
    case 'blank':
      return { blank: {} }
    case 'volume':
      return { pvc: { namespace: checkedName(source.namespace), name: checkedName(source.name) } }
    case 'volumeSnapshot':
      return {
        snapshot: { namespace: checkedName(source.namespace), name: checkedLongName(source.name) },
      }
  }
}

const requested = (sizeGi: number): Content => ({ requests: { storage: `${sizeGi}Gi` } })

/** Builds the PVC of a volume that CDI does not fill. */
export const volumeContent = ({
  sizeGi,
  storageClass,
  mode,
  access,
  snapshot,
}: DesiredVolume): Content => ({
  spec: {
    accessModes: [access],
    volumeMode: mode,
    resources: requested(sizeGi),
    ...optionalField('storageClassName', storageClass),
    ...optionalField('dataSource', snapshot === null ? null : snapshotSource(snapshot)),
  },
})

const snapshotSource = (name: string): Content => ({
  apiGroup: 'snapshot.storage.k8s.io',
  kind: 'VolumeSnapshot',
  name: checkedName(name),
})

/** Builds the VolumeSnapshot of a volume. */
export const volumeSnapshotContent = ({
  volume,
  snapshotClass,
}: DesiredVolumeSnapshot): Content => ({
  spec: {
    source: { persistentVolumeClaimName: checkedName(volume) },
    ...optionalField('volumeSnapshotClassName', snapshotClass),
  },
})
