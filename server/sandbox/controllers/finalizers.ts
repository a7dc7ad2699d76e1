import { type KubeObject } from '../objects/types.ts'

/** True when the deletion was requested. The object exists until its last finalizer is gone. */
export const isDeleted = ({ metadata }: KubeObject): boolean =>
  metadata.deletionTimestamp !== undefined

export const hasFinalizer = ({ metadata }: KubeObject, finalizer: string): boolean =>
  (metadata.finalizers ?? []).includes(finalizer)

export const withFinalizer = (object: KubeObject, finalizer: string): KubeObject =>
  hasFinalizer(object, finalizer)
    ? object
    : {
        ...object,
        metadata: {
          ...object.metadata,
          finalizers: [...(object.metadata.finalizers ?? []), finalizer],
        },
      }
