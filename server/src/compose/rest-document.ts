import examples from '../../../schema/rest-examples.json' with { type: 'json' }
import { restDocument } from '../edge/rest-document.ts'
import { type OpenApi } from '../engine/rest/document/openapi.ts'
import { restRoutes } from './nouns.ts'
import { version } from './startup-context.ts'

/** Describes the REST interface of this build, with the examples that its contract test records. */
export const berthRestDocument = (schema: Parameters<typeof restDocument>[0]): OpenApi =>
  restDocument(schema, { routes: restRoutes, version, examples })
