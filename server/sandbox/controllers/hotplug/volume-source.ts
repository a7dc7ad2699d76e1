import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { named, volumesOf } from './volumes.ts'

/** The name of the PVC behind a volume. The PVC of a DataVolume has the name of the DataVolume. */
export const claimNameOf = (volume: JsonMap): string =>
  read.text(read.at(volume.persistentVolumeClaim, 'claimName')) ||
  read.text(read.at(volume.dataVolume, 'name')) ||
  read.text(read.at(volume.memoryDump, 'claimName'))

export const isHotpluggable = ({
  persistentVolumeClaim,
  dataVolume,
  memoryDump,
}: JsonMap): boolean =>
  [persistentVolumeClaim, dataVolume, memoryDump].some(
    (source) => read.at(source, 'hotpluggable') === true,
  )

/** Memory dump volumes are hotpluggable, but follow the dump request and not the VM's spec. */
export const isDeclared = (volume: JsonMap): boolean =>
  volume.memoryDump === undefined && isHotpluggable(volume)

/** The volumes of a VMI that its launcher pod does not mount. */
export function pluggedVolumes(vmi: KubeObject, launcher: KubeObject): JsonMap[] {
  const podVolumes = read.maps(read.spec(launcher).volumes)
  return volumesOf(vmi).filter(
    (volume) => claimNameOf(volume) !== '' && !named(podVolumes, volume.name),
  )
}
