import { each, flag, int, object, structOf, text } from '../../objects/schema.ts'

/* Schemas of the disks in a VMI spec. The kinds VM, VMI and preference share them. */

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
