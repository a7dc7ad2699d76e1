import { Client, fetchExchange, mapExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { translate } from '../i18n/messages.ts'
import type { Session } from './session.ts'

/**
 * Creates the GraphQL client of one viewer in one tenant. Each change of either needs a new client,
 * so that no cached row is shown to another viewer.
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
      // Objects without an id are cached at their parent. A test ensures that every other object is
      // selected with its id (api/documents.test.ts).
      cacheExchange(),
      mapExchange({ onResult: translate }),
      fetchExchange,
    ],
  })
}
