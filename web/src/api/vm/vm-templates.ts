import { type ResultOf, graphql } from '../graphql.ts'

const vmTemplateRow = graphql(`
  fragment VmTemplateRow on VmTemplate @_unmask {
    id
    name
    displayName
    description
    image
    sourceType
    osType
    isoSizeGi
    bootDiskSizeGi
    cloudInitUserData
    hasUserData
    state
    readOnly
    deleting
    importState
    importDetail
    importPercent
    importedBytes
    totalBytes
    bytesPerSecond
    importEtaSeconds
    version
    createdAt
    refusals {
      delete
      deploy
      retryImport
      update
    }
  }
`)

export type VmTemplateRow = ResultOf<typeof vmTemplateRow>

export const vmTemplateDocuments = {
  list: graphql(
    `
      query VmTemplates(
        $first: Int!
        $after: String
        $filter: VmTemplateFilter
        $orderBy: VmTemplateOrder
      ) {
        vmTemplates(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...VmTemplateRow
          }
        }
      }
    `,
    [vmTemplateRow],
  ),
  create: graphql(
    `
      mutation CreateVmTemplate($input: CreateVmTemplateInput!) {
        createVmTemplate(input: $input) {
          vmTemplate {
            ...VmTemplateRow
          }
          operation {
            id
          }
        }
      }
    `,
    [vmTemplateRow],
  ),
  update: graphql(
    `
      mutation UpdateVmTemplate($input: UpdateVmTemplateInput!) {
        updateVmTemplate(input: $input) {
          vmTemplate {
            ...VmTemplateRow
          }
        }
      }
    `,
    [vmTemplateRow],
  ),
  retryImport: graphql(
    `
      mutation RetryVmTemplateImport($input: RetryVmTemplateImportInput!) {
        retryVmTemplateImport(input: $input) {
          vmTemplate {
            ...VmTemplateRow
          }
          operation {
            id
          }
        }
      }
    `,
    [vmTemplateRow],
  ),
  remove: graphql(`
    mutation DeleteVmTemplate($input: DeleteVmTemplateInput!) {
      deleteVmTemplate(input: $input) {
        vmTemplate {
          id
          deleting
        }
        operation {
          id
        }
      }
    }
  `),
}
