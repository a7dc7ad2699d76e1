import { checkedLongName, checkedName } from '../../engine/kube/refs.ts'
import {
  type WantedDataVolume,
  type WantedVolume,
  type WantedVolumeSnapshot,
} from '../desired/storage.ts'
import { type Content, maybe } from '../../engine/kube/manifest.ts'

/**
 * Uses `storage` and not `pvc`: CDI then chooses modes that the class supports and adds the
 * overhead of a file system.
 */
export const dataVolumeContent = ({ source, sizeGi, storageClass }: WantedDataVolume): Content => ({
  spec: {
    source: sourceOf(source),
    storage: {
      ...maybe('resources', sizeGi === null ? null : requested(sizeGi)),
      ...maybe('storageClassName', storageClass),
    },
  },
})

function sourceOf(source: WantedDataVolume['source']): Content {
  switch (source.kind) {
    case 'http':
      return { http: { url: source.url, ...maybe('checksum', source.checksum) } }
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

export const volumeContent = ({
  sizeGi,
  storageClass,
  mode,
  access,
  snapshot,
}: WantedVolume): Content => ({
  spec: {
    accessModes: [access],
    volumeMode: mode,
    resources: requested(sizeGi),
    ...maybe('storageClassName', storageClass),
    ...maybe('dataSource', snapshot === null ? null : snapshotSource(snapshot)),
  },
})

const snapshotSource = (name: string): Content => ({
  apiGroup: 'snapshot.storage.k8s.io',
  kind: 'VolumeSnapshot',
  name: checkedName(name),
})

export const volumeSnapshotContent = ({
  volume,
  snapshotClass,
}: WantedVolumeSnapshot): Content => ({
  spec: {
    source: { persistentVolumeClaimName: checkedName(volume) },
    ...maybe('volumeSnapshotClassName', snapshotClass),
  },
})
