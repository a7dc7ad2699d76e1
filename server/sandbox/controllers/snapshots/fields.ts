import { type Json, type JsonMap, type KubeObject, type OwnerReference, isMap } from '../../apiserver/types.ts'

/** How the controllers of copies read what others wrote: whatever is absent or odd is empty, never an error. */
export const mapOf = (value: Json | undefined): JsonMap => (isMap(value) ? value : {})
export const mapsOf = (value: Json | undefined): JsonMap[] => (Array.isArray(value) ? value.filter(isMap) : [])
export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
export const textsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [])

export const specOf = ({ spec }: KubeObject): JsonMap => mapOf(spec)
export const statusOf = ({ status }: KubeObject): JsonMap => mapOf(status)

/** The value at the path; undefined when a part of it is missing. */
export const at = (value: Json | undefined, ...path: string[]): Json | undefined =>
  path.reduce<Json | undefined>((node, key) => mapOf(node)[key], value)

export const isDeleted = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined

export const hasFinalizer = ({ metadata }: KubeObject, finalizer: string): boolean => (metadata.finalizers ?? []).includes(finalizer)

export const withFinalizer = (object: KubeObject, finalizer: string): KubeObject =>
  hasFinalizer(object, finalizer)
    ? object
    : { ...object, metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), finalizer] } }

export const ownedBy = ({ apiVersion, kind, metadata: { name, uid = '' } }: KubeObject): OwnerReference => ({
  apiVersion,
  blockOwnerDeletion: true,
  controller: true,
  kind,
  name,
  uid,
})

export const controllerOf = ({ metadata }: KubeObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)

/** The map without the keys whose value is undefined, as JSON has it. */
export const filled = (map: JsonMap): JsonMap => Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined))
