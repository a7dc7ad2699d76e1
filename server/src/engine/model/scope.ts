/**
 * What a unit of work or a read may see: one tenant's rows, or all of them (root and the platform's
 * own workers).
 */
export type Scope = { readonly tenantId: string } | 'platform'
