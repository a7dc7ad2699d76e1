import { operationRoutes } from './operation.ts'
import { type RestRoute } from './route.ts'
import { serviceOfferingRoutes } from './service-offering.ts'
import { tenantRoutes } from './tenant.ts'

/** The whole of /api/v1: each row runs a document on the schema, so its guards are the resolvers'. */
export const restRoutes: readonly RestRoute[] = [...operationRoutes, ...serviceOfferingRoutes, ...tenantRoutes]
