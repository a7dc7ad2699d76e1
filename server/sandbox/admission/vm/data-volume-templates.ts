import { type Cause } from '../../objects/cause.ts'
import { type JsonMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { cause } from '../refusals.ts'

/** Validates the VM's `dataVolumeTemplates`, with the first problem of each. */
export function dataVolumeCauses(spec: JsonMap): Cause[] {
  const volumes = read.maps(read.at(spec.template, 'spec', 'volumes'))
  return read.maps(spec.dataVolumeTemplates).flatMap((template, index) => {
    const at = `spec.dataVolumeTemplate[${index}]`
    const name = read.text(read.at(template.metadata, 'name'))
    const wrong = templateCause(at, name, read.map(template.spec))
    if (wrong) return [wrong]
    const isUsed = volumes.some(
      (volume) =>
        read.at(volume.persistentVolumeClaim, 'claimName') === name ||
        read.at(volume.dataVolume, 'name') === name,
    )
    const message = `DataVolumeTemplate entry ${at} must be referenced in the VMI template's 'volumes' list`
    return isUsed ? [] : [cause.required(at, message)]
  })
}

function templateCause(at: string, name: string, spec: JsonMap): Cause | null {
  if (name === '')
    return cause.required(
      `${at}.name`,
      `'name' field must not be empty for DataVolumeTemplate entry ${at}.name.`,
    )
  const { pvc, storage } = spec
  if (pvc === undefined && storage === undefined)
    return cause.wrong(`${at}.PVC.Storage`, 'Missing Data volume PVC or Storage')
  if (pvc !== undefined && storage !== undefined)
    return cause.wrong(
      `${at}.PVC.Storage`,
      'Duplicate storage definition, both target storage and target pvc defined',
    )
  return sourceCause(at, spec, read.map(pvc ?? storage))
}

function sourceCause(
  at: string,
  { source, sourceRef }: JsonMap,
  { dataSource, dataSourceRef }: JsonMap,
): Cause | null {
  const isExternallyPopulated = dataSource !== undefined || dataSourceRef !== undefined
  const hasSource = source !== undefined || sourceRef !== undefined
  if (isExternallyPopulated && hasSource)
    return cause.wrong(
      `${at}.source`,
      'External population is incompatible with Source and SourceRef',
    )
  if (!isExternallyPopulated && !hasSource)
    return cause.wrong(
      `${at}.source.sourceRef`,
      'Data volume should have either Source, SourceRef, or be externally populated',
    )
  if (source === undefined) return null
  const count = Object.values(read.map(source)).filter((each) => each !== undefined).length
  if (count === 1) return null
  return cause.wrong(
    `${at}.source`,
    count === 0 ? 'Missing dataVolume valid source' : 'Multiple dataVolume sources',
  )
}
