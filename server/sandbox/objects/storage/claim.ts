import { numberOf } from '../../quantity.ts'
import { type JsonMap, type KubeObject } from '../types.ts'
import { read } from '../read.ts'
import { names } from './names.ts'

interface Lookup {
  get(kind: string, namespace: string | undefined, name: string): KubeObject | undefined
}

/** Readers of a PVC and its storage class. */
export const claim = {
  annotation: ({ metadata }: KubeObject, name: string): string | undefined =>
    metadata.annotations?.[name],
  volumeName: (object: KubeObject): string => read.text(read.spec(object).volumeName),
  isBound: (object: KubeObject | undefined): boolean =>
    object !== undefined && read.status(object).phase === 'Bound',
  size: (object: KubeObject): string =>
    String(read.at(object, 'spec', 'resources', 'requests', 'storage') ?? '0'),
  bytes: (object: KubeObject): number => numberOf(claim.size(object)) ?? 0,
  capacity: (object: KubeObject): number =>
    numberOf(read.at(object, 'status', 'capacity', 'storage')) ?? 0,
  classOf: (client: Lookup, object: KubeObject): KubeObject | undefined =>
    client.get(names.classes, undefined, read.text(read.spec(object).storageClassName)),
  /** The data source of the PVC, from the current or the older field. */
  source(object: KubeObject): JsonMap {
    const spec = read.spec(object)
    return read.map(spec.dataSourceRef ?? spec.dataSource)
  },
  /** True when a volume populator fills the PVC instead of the CSI driver. */
  isPopulated(object: KubeObject): boolean {
    const kind = read.text(claim.source(object).kind)
    return kind !== '' && kind !== 'VolumeSnapshot' && kind !== 'PersistentVolumeClaim'
  },
  waitsForConsumer: (client: Lookup, object: KubeObject): boolean =>
    claim.classOf(client, object)?.volumeBindingMode === 'WaitForFirstConsumer' &&
    claim.annotation(object, names.selectedNode) === undefined,
}

/** The object with changed annotations; undefined values are removed. */
export function annotated(
  object: KubeObject,
  changes: Readonly<Record<string, string | undefined>>,
): KubeObject {
  const all = Object.entries({ ...object.metadata.annotations, ...changes }).flatMap(
    ([key, value]) => (value === undefined ? [] : [[key, value] as const]),
  )
  const { annotations: _old, ...metadata } = object.metadata
  return {
    ...object,
    metadata: all.length > 0 ? { ...metadata, annotations: Object.fromEntries(all) } : metadata,
  }
}

export const claimNamesOf = (pod: KubeObject): string[] =>
  read.maps(read.spec(pod).volumes).flatMap((volume) => {
    const name = read.text(read.at(volume, 'persistentVolumeClaim', 'claimName'))
    return name === '' ? [] : [name]
  })
