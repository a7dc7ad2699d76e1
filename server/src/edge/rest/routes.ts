import { apiKeyRoutes } from './api-key.ts'
import { authRoutes } from './auth.ts'
import { operationRoutes } from './operation.ts'
import { roleRoutes } from './role.ts'
import { type RestRoute } from './route.ts'
import { serviceOfferingRoutes } from './service-offering.ts'
import { tenantRoutes } from './tenant.ts'
import { userRoutes } from './user.ts'

/** The whole of /api/v1: each row runs a document on the schema, so its guards are the resolvers'. */
export const restRoutes: readonly RestRoute[] = [
  ...authRoutes,
  ...tenantRoutes,
  ...userRoutes,
  ...roleRoutes,
  ...apiKeyRoutes,
  ...serviceOfferingRoutes,
  ...operationRoutes,
]
