/**
 * Limits which rows a unit of work or a read can see: those of one tenant, or all (root and the
 * platform's own workers).
 */
export type Scope = { readonly tenantId: string } | 'platform'
