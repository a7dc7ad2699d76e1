export interface RoleView {
  id: string
  /** Null for the roles that come with the platform. */
  tenantId: string | null
  name: string
  description: string
  isSystem: boolean
  permissions: string[]
  version: number
  createdAt: string
  updatedAt: string
}
