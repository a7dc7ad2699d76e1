import { graphql } from '../graphql.ts'

export const ejectVmIsoDocument = graphql(`
  mutation EjectVmIso($input: EjectVmIsoInput!) {
    ejectVmIso(input: $input) {
      applies
      operation {
        id
      }
    }
  }
`)
