/** Opens the REST documentation, a page of the server. The same tab keeps the tenant of root. */
export const openApiDocs = (): void => window.location.assign('/api/v1/docs')
