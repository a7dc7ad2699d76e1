/* GraphQL documents to create, retry, cancel, read and delete an ISO template. */

const fields = `id name image sourceType osType state importState importReason importDetail importPercent importedBytes totalBytes bytesPerSecond
  importEtaSeconds deleting version refusals { retryImport deploy }`
export const create = `mutation ($i: CreateVmTemplateInput!) { createVmTemplate(input: $i) { vmTemplate { ${fields} }
  operation { id kind state targetId cancellable steps { name state } } } }`
export const retry = `mutation ($i: RetryVmTemplateImportInput!) { retryVmTemplateImport(input: $i) { vmTemplate { ${fields} } operation { id kind } } }`
export const remove = `mutation ($i: DeleteVmTemplateInput!) { deleteVmTemplate(input: $i) { vmTemplate { deleting } operation { id kind state } } }`
export const cancel =
  'mutation ($i: CancelOperationInput!) { cancelOperation(input: $i) { operation { id } } }'
export const one = `query ($id: ID!) { vmTemplate(id: $id) { ${fields} } }`
