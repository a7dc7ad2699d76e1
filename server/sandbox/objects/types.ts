export type Json = null | boolean | number | string | Json[] | JsonMap

export interface JsonMap {
  [key: string]: Json | undefined
}

export interface ManagedField extends JsonMap {
  manager: string
  operation: 'Apply' | 'Update'
  apiVersion: string
  time?: string
  fieldsType: 'FieldsV1'
  fieldsV1: JsonMap
  subresource?: string
}

export interface ObjectMeta extends JsonMap {
  name: string
  namespace?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  generateName?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: OwnerReference[]
  managedFields?: ManagedField[]
}

export interface OwnerReference extends JsonMap {
  apiVersion: string
  kind: string
  name: string
  uid: string
  blockOwnerDeletion?: boolean
}

/**
 * A Kubernetes object. Stored objects are never changed in place, because history, watches and
 * caches share them.
 */
export interface KubeObject extends JsonMap {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
}

export const isMap = (value: Json | undefined): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
