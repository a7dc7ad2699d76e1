import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { named, volumesOf } from './volumes.ts'

/** The claim behind a volume; a data volume's claim is called as it is. */
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

/** A memory dump comes and goes with its request, not with the machine's spec. */
export const isDeclared = (volume: JsonMap): boolean =>
  volume.memoryDump === undefined && isHotpluggable(volume)

/** The volumes of an instance that its launcher pod did not bring along. */
export function pluggedVolumes(vmi: KubeObject, launcher: KubeObject): JsonMap[] {
  const brought = read.maps(read.spec(launcher).volumes)
  return volumesOf(vmi).filter(
    (volume) => claimNameOf(volume) !== '' && !named(brought, volume.name),
  )
}
