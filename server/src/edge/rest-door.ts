import { type GraphQLSchema } from 'graphql'
import { parseJson, readText } from './body.ts'
import { type Executable, compileText } from './execute.ts'
import { type Door } from './http.ts'
import { jsonReply } from './reply.ts'
import { openApiDocument } from './rest/openapi.ts'
import { restOn } from './rest/rest.ts'
import { type Answer } from './rest/route.ts'
import { type Site, graphRequest } from './site.ts'

const restCap = 10_000

export function restDoor(schema: GraphQLSchema, site: Site): Door {
  const rest = restOn((text) => compileText(schema, text))
  return async (visit) => {
    if (!visit.url.pathname.startsWith('/api/')) return null
    const { method, url } = visit
    const run = async (executable: Executable, variables: Record<string, unknown>): Promise<Answer> => {
      const context = await graphRequest(visit, { ...site, pageCap: restCap })
      const { data, errors } = await executable.run(context, variables)
      const [failed] = errors ?? []
      if (failed) throw failed
      return data ?? {}
    }
    return rest({ method, url, run, readBody: async () => parseJson(await readText(visit.request)) })
  }
}

export function openApiDoor(version: string): Door {
  const document = jsonReply(200, openApiDocument(version), { 'cache-control': 'no-cache' })
  return ({ url, method }) => (url.pathname === '/api/v1/openapi.json' && (method === 'GET' || method === 'HEAD') ? document : null)
}
