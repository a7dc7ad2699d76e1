/**
 * The key of something that a reconciler must look at. The tenant says whose share of the workers
 * it uses.
 */
export interface WorkKey {
  readonly kind: string
  readonly objectId: string
  readonly tenantId: string
}
