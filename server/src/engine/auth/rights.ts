import { type Viewer, anonymous } from '../model/viewer.ts'

/** Returns a text that is equal for callers with the same permissions. */
export function rightsOf({
  role,
  tenantId,
  tenantNamed,
  permissions,
  lacksSecondFactor,
}: Viewer): string {
  return JSON.stringify([role, tenantId, tenantNamed, [...permissions].sort(), lacksSecondFactor])
}

/**
 * Returns a viewer with the same permissions but no user. A resolver in a shared execution then
 * finds no user instead of the first subscriber.
 */
export function anonymousWithRightsOf({
  role,
  tenantId,
  homeTenantId,
  tenantNamed,
  permissions,
  credential,
  lacksSecondFactor,
}: Viewer): Viewer {
  const rights = { role, tenantId, homeTenantId, tenantNamed, permissions, credential }
  return { ...anonymous, ...rights, lacksSecondFactor }
}
