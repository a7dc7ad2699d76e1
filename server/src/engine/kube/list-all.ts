import { type ApiKind } from './api-call.ts'
import { type ApiObject, listIn } from './objects.ts'
import { type Transport } from './transport.ts'

/** Lists all objects page by page, because the status of a node is large. */
export async function listAll(transport: Transport, of: ApiKind): Promise<ApiObject[]> {
  const found: ApiObject[] = []
  let after: string | null = null
  do {
    const query: Record<string, string> = {
      limit: '50',
      ...(after === null ? {} : { continue: after }),
    }
    const page = listIn((await transport.call({ method: 'GET', of, query })).body)
    found.push(...page.items)
    after = page.after
  } while (after !== null)
  return found
}
