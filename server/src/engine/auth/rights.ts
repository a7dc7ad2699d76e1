import { type Viewer, anonymous } from '../model/viewer.ts'

/** Callers with equal text see and may do the same. */
export function rightsOf({ role, tenantId, tenantNamed, permissions }: Viewer): string {
  return JSON.stringify([role, tenantId, tenantNamed, [...permissions].sort()])
}

/**
 * A resolver that looked for the person in a shared execution would find nobody, instead of the
 * first who happened to ask.
 */
export function nobodyWith({
  role,
  tenantId,
  homeTenantId,
  tenantNamed,
  permissions,
  credential,
}: Viewer): Viewer {
  return { ...anonymous, role, tenantId, homeTenantId, tenantNamed, permissions, credential }
}
