import { type ResultOf, graphql } from '../graphql.ts'

export const nicDocuments = {
  attach: graphql(`
    mutation AttachNetwork($input: AttachNetworkInput!) {
      attachNetwork(input: $input) {
        applies
        operation {
          id
        }
      }
    }
  `),
  detach: graphql(`
    mutation DetachNetwork($input: DetachNetworkInput!) {
      detachNetwork(input: $input) {
        applies
        operation {
          id
        }
      }
    }
  `),
}

export type ChangeApplies = NonNullable<
  ResultOf<typeof nicDocuments.attach>['attachNetwork']
>['applies']
