import { type KubeObject, type OwnerReference } from '../objects/types.ts'

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

export const controllerOf = ({ metadata }: KubeObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)
