import { Client, fetchExchange, mapExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import type { Session } from './session.ts'

const nouns = ['Tenant', 'ServiceOffering', 'User', 'Role', 'ApiKey', 'AuditEvent', 'Operation']
const partsWithoutIdentity = [
  'ChangePasswordPayload',
  'OperationFault',
  'OperationStep',
  'PageInfo',
  'Platform',
  'TenantRefusals',
  ...nouns.flatMap((noun) => [`${noun}Connection`, `${noun}Edge`]),
  ...nouns.flatMap((noun) => ['Create', 'Update', 'Delete', 'Revoke', 'Cancel'].map((verb) => `${verb}${noun}Payload`)),
]

/** One client per viewer and tenant: a new one is made when either changes, so no cache outlives whom it was filled for. */
export function createGraphqlClient(session: Session): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetch: session.fetch,
    exchanges: [
      mapExchange({
        onError(error) {
          if (error.graphQLErrors.some((fault) => fault.extensions['code'] === 'unauthenticated')) void session.renew().catch(() => false)
        },
      }),
      cacheExchange({ keys: Object.fromEntries(partsWithoutIdentity.map((name) => [name, () => null])) }),
      fetchExchange,
    ],
  })
}
