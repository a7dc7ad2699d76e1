import { type VmTemplateView } from './vm-template.ts'

const prefix = 'iso-'

/** Names the volume, and its claim, that hold the ISO of a template in its tenant's namespace. */
export const isoVolumeName = (templateId: string): string => `${prefix}${templateId}`

/**
 * Names the claim of a template's ISO in the namespace of the deploying tenant. The operator
 * provides the claim of a platform template in each tenant's namespace.
 */
export const isoClaimName = ({
  id,
  name,
  tenantId,
}: Pick<VmTemplateView, 'id' | 'name' | 'tenantId'>): string =>
  tenantId === null ? `${name}-iso` : isoVolumeName(id)

/** True when an object of Berth with this name is the volume of an imported ISO. */
export const isIsoVolume = (name: string): boolean => name.startsWith(prefix)
