import { graphql } from '../graphql.ts'

export const vmConsoleTicketDocument = graphql(`
  mutation CreateVmConsoleTicket($input: CreateVmConsoleTicketInput!) {
    createVmConsoleTicket(input: $input) {
      url
      protocol
    }
  }
`)
