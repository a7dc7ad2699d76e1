import { graphql } from '../graphql.ts'

export const vmSshDocuments = {
  expose: graphql(`
    mutation ExposeVmSsh($input: ExposeVmSshInput!) {
      exposeVmSsh(input: $input) {
        vm {
          id
          ssh {
            state
            exposed
            nodePort
            explanation
          }
        }
        operation {
          id
        }
      }
    }
  `),
  unexpose: graphql(`
    mutation UnexposeVmSsh($input: UnexposeVmSshInput!) {
      unexposeVmSsh(input: $input) {
        vm {
          id
          ssh {
            state
            exposed
            nodePort
            explanation
          }
        }
        operation {
          id
        }
      }
    }
  `),
}
