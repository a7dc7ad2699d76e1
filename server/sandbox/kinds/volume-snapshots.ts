import { isDeepStrictEqual } from 'node:util'
import { type Json, isMap } from '../objects/types.ts'
import { type SchemaRule } from '../objects/resource.ts'
import {
  checked,
  each,
  flag,
  int64,
  object,
  oneOf,
  quantity,
  text,
  textMap,
  time,
  within,
} from '../objects/schema.ts'
import { objectReference } from './shared.ts'

/* Schemas of the kinds of `snapshot.storage.k8s.io`, as the CRDs of CSI snapshots declare them. */

const has = (self: Json, field: string): boolean => isMap(self) && self[field] !== undefined

const staysSet = (field: string): SchemaRule => ({
  message: `${field} is required once set`,
  holdsAfter: (self, old) => !has(old, field) || has(self, field),
})

const isImmutable = (field: string): SchemaRule => ({
  message: `${field} is immutable`,
  holdsAfter: (self, old) => isDeepStrictEqual(self, old),
})

const exactlyOne = (one: string, other: string): SchemaRule => ({
  message: `exactly one of ${one} and ${other} must be set`,
  holds: (self) => has(self, one) !== has(self, other),
})

const frozenText = (field: string) => ({ [field]: checked(text, isImmutable(field)) })

const isNotEmpty: SchemaRule = {
  message: 'volumeSnapshotClassName must not be the empty string when set',
  holds: (name) => name !== '',
}

const namesBoth: SchemaRule = {
  message: 'both spec.volumeSnapshotRef.name and spec.volumeSnapshotRef.namespace must be set',
  holds: (reference) => has(reference, 'name') && has(reference, 'namespace'),
}

const error = object({ message: text, time })
const deletionPolicy = oneOf('Delete', 'Retain')

export const volumeSnapshot = object(
  {
    spec: object(
      {
        source: checked(
          object({
            ...frozenText('persistentVolumeClaimName'),
            ...frozenText('volumeSnapshotContentName'),
          }),
          staysSet('persistentVolumeClaimName'),
          staysSet('volumeSnapshotContentName'),
          exactlyOne('volumeSnapshotContentName', 'persistentVolumeClaimName'),
        ),
        volumeSnapshotClassName: checked(text, isNotEmpty),
      },
      'source',
    ),
    status: object({
      ...each(text, 'boundVolumeSnapshotContentName', 'volumeGroupSnapshotName'),
      creationTime: time,
      error,
      readyToUse: flag,
      restoreSize: { ...quantity, type: 'string' },
    }),
  },
  'spec',
)

export const volumeSnapshotClass = object(
  { deletionPolicy, driver: text, parameters: textMap },
  'deletionPolicy',
  'driver',
)

export const volumeSnapshotContent = object(
  {
    spec: checked(
      object(
        {
          deletionPolicy,
          driver: text,
          source: checked(
            object({ ...frozenText('snapshotHandle'), ...frozenText('volumeHandle') }),
            staysSet('volumeHandle'),
            staysSet('snapshotHandle'),
            exactlyOne('volumeHandle', 'snapshotHandle'),
          ),
          ...frozenText('sourceVolumeMode'),
          volumeSnapshotClassName: text,
          volumeSnapshotRef: checked(objectReference, namesBoth),
        },
        'deletionPolicy',
        'driver',
        'source',
        'volumeSnapshotRef',
      ),
      staysSet('sourceVolumeMode'),
    ),
    status: object({
      creationTime: int64,
      error,
      readyToUse: flag,
      restoreSize: within(int64, 0),
      ...each(text, 'snapshotHandle', 'volumeGroupSnapshotHandle'),
    }),
  },
  'spec',
)
