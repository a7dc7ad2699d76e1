import { type ResultOf, graphql } from './graphql.ts'

/** The logged-in user, the platform, and the cursor at which the change feed begins. */
export const viewerDocument = graphql(`
  query Viewer {
    viewer {
      id
      username
      email
      role
      permissions
      homeTenantId
      lacksSecondFactor
      tenant {
        id
        name
        slug
        namespace
        state
        requiresSecondFactor
      }
    }
    platform {
      name
      version
      publicNetworkEnabled
      oidcEnabled
      servesVirtfoundry
      apiKeyMaxDays
      cluster
    }
    changeCursor
  }
`)

export type ViewerAnswer = ResultOf<typeof viewerDocument>
