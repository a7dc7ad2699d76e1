import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { ApiError } from '../../../objects/status.ts'
import { read } from '../../../objects/read.ts'
import { copiedVm } from '../../../objects/vms/snapshot-content.ts'

/** A restore and the objects that it works on. */
export interface RestoreJob {
  restore: KubeObject
  /** Absent when the restore creates a new VM. */
  vm: KubeObject | undefined
  content: KubeObject
}

/** An error that is reported in the status, after which the reconcile is retried. */
export const retryableError = (message: string): ApiError => new ApiError({ status: 500, message })

export const restoresOf = (restore: KubeObject): JsonMap[] =>
  read.maps(read.status(restore).restores)

export const templatesOf = (content: KubeObject): JsonMap[] =>
  read.maps(read.at(copiedVm(content), 'spec', 'dataVolumeTemplates'))

export const keepsNoOwner = (restore: KubeObject): boolean =>
  read.spec(restore).volumeOwnershipPolicy === 'None'
