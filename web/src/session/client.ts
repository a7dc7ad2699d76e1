import { Client, fetchExchange, mapExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { translate } from '../words/messages.ts'
import type { Session } from './session.ts'

/**
 * One client per viewer and tenant: a new one is made when either changes, so no cache outlives
 * whom it was filled for.
 */
export function createGraphqlClient(session: Session): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetch: session.fetch,
    exchanges: [
      mapExchange({
        onError(error) {
          if (error.graphQLErrors.some((fault) => fault.extensions['code'] === 'unauthenticated'))
            void session.renew().catch(() => false)
        },
      }),
      // What has no id is kept with what it was asked with; that everything else is asked with its
      // id is tested (api/documents.test.ts).
      cacheExchange(),
      mapExchange({ onResult: translate }),
      fetchExchange,
    ],
  })
}
