import { type GraphQLError, type GraphQLSchema } from 'graphql'
import { Fault } from '../domain/fault.ts'
import { parseJson, readText } from './body.ts'
import { type Executable, compileText } from './execute.ts'
import { complaintCode } from './graph-errors.ts'
import { type Door } from './http.ts'
import { jsonReply } from './reply.ts'
import { openApiDocument } from './rest/openapi.ts'
import { restOn } from './rest/rest.ts'
import { type Answer } from './rest/route.ts'
import { type Site, graphRequest } from './site.ts'

const restCap = 10_000

export function restDoor(schema: GraphQLSchema, site: Site): Door {
  const rest = restOn((text) => compileText(schema, text))
  const restSite = { ...site, pageCap: restCap }
  return (visit) => {
    if (!visit.url.pathname.startsWith('/api/')) return null
    const { method, url } = visit
    const run = async (executable: Executable, variables: Record<string, unknown>): Promise<Answer> => {
      const context = await graphRequest(visit, restSite)
      const { data, errors } = await executable.run(context, variables)
      const [failed] = errors ?? []
      if (failed) throw complaintCode(failed) === 'invalid_input' ? misfit(failed) : failed
      return data ?? {}
    }
    return rest({ method, url, run, readBody: async () => parseJson(await readText(visit.request)) })
  }
}

/** The documents are ours: what the executor has against a variable is about a value that the caller sent. */
function misfit({ message }: GraphQLError): Fault {
  const [, value = 'A value'] = /got invalid value (.{1,80}?);/.exec(message) ?? []
  return new Fault('invalid_input', `${value} is not possible here; see /api/v1/openapi.json for what is.`)
}

export function openApiDoor(version: string): Door {
  const document = jsonReply(200, openApiDocument(version), { 'cache-control': 'no-cache' })
  return ({ url, method }) => (url.pathname === '/api/v1/openapi.json' && (method === 'GET' || method === 'HEAD') ? document : null)
}
