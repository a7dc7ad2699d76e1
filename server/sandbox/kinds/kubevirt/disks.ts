import { each, flag, int, object, structOf, text } from '../../objects/schema.ts'

/** KubeVirt's `FeatureState`. */
export const feature = structOf(flag, 'enabled')

export const blockSize = object({
  custom: structOf(int, 'discardGranularity', 'logical', 'physical'),
  matchVolume: feature,
})

export const disk = object(
  {
    ...each(text, 'name', 'serial', 'tag', 'cache', 'errorPolicy', 'io'),
    bootOrder: int,
    ...each(flag, 'changedBlockTracking', 'dedicatedIOThread', 'shareable'),
    blockSize,
    disk: object({ ...each(text, 'bus', 'pciAddress'), readonly: flag }),
    cdrom: object({ ...each(text, 'bus', 'tray'), readonly: flag }),
    lun: object({ bus: text, ...each(flag, 'readonly', 'reservation') }),
  },
  'name',
)
