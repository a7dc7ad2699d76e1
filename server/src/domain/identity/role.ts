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
