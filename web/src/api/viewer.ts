import { type ResultOf, graphql } from './graphql.ts'

export const viewerDocument = graphql(`
  query Viewer {
    viewer {
      id
      username
      email
      role
      permissions
      homeTenantId
      tenant {
        id
        name
        slug
        namespace
        state
      }
    }
    platform {
      name
      version
      publicNetworkEnabled
      oidcEnabled
      cluster
    }
    changeCursor
  }
`)

export type ViewerAnswer = ResultOf<typeof viewerDocument>
