/** A policy that the API server enforces in the namespaces of tenants. */
export type DesiredAdmission =
  /**
   * Refuses attachments to networks of other tenants. Every tenant may use the networks of
   * `sharedTenantId`.
   */
  | { refuses: 'foreignAttachments'; sharedTenantId: string }
  /** Refuses attachments to networks that Berth does not manage. */
  | { refuses: 'unknownAttachments' }
