import { type KubeObject, type OwnerReference } from '../objects/types.ts'

/** Returns the owner reference for a dependent of this object, which controls it. */
export const ownedBy = ({
  apiVersion,
  kind,
  metadata: { name, uid = '' },
}: KubeObject): OwnerReference => ({
  apiVersion,
  blockOwnerDeletion: true,
  controller: true,
  kind,
  name,
  uid,
})

/** Returns the owner that controls the object, such as the VM of a VMI. */
export const controllerOf = ({ metadata }: KubeObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)
