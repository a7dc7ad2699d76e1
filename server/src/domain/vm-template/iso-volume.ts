import { type VmTemplateView } from './vm-template.ts'

const prefix = 'iso-'

/**
 * The volume, and by the same name the claim, that holds the ISO of a template in its tenant's
 * namespace.
 */
export const isoVolumeName = (templateId: string): string => `${prefix}${templateId}`

/**
 * Where the ISO of a template lies in the namespace of whoever deploys it; that of a platform
 * template is the operator's to provide.
 */
export const isoClaimName = ({
  id,
  name,
  tenantId,
}: Pick<VmTemplateView, 'id' | 'name' | 'tenantId'>): string =>
  tenantId === null ? `${name}-iso` : isoVolumeName(id)

/** Whether an object of ours with this name is the volume of an imported ISO. */
export const isIsoVolume = (name: string): boolean => name.startsWith(prefix)
