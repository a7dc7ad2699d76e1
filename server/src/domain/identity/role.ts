/** A role as clients see it: a named set of permissions that users can have. */
export interface RoleView {
  id: string
  /** Built-in roles have no tenant: null. */
  tenantId: string | null
  name: string
  description: string
  isSystem: boolean
  permissions: string[]
  version: number
  createdAt: string
  updatedAt: string
}
