/** What the API server itself is to refuse in the namespaces of tenants. */
export type WantedAdmission =
  /** To be in a network of another tenant; in those of one all may be. */
  | { refuses: 'foreignAttachments'; sharedTenantId: string }
  /** To be in a network that Berth has not made. */
  | { refuses: 'unknownAttachments' }
