/**
 * The key of an object to reconcile. The tenant id assigns it to that tenant's share of the
 * workers.
 */
export interface WorkKey {
  readonly kind: string
  readonly objectId: string
  readonly tenantId: string
}
