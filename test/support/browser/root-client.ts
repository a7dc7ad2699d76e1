import { type Json } from '../json.ts'
import { rootPassword } from './berth.ts'
import { waitFor } from '../wait-for.ts'

/**
 * Returns a GraphQL client of root that works beside the browser, once root's tenant is active. It
 * creates the VMs that a page needs, or plays another user.
 */
export async function graphOf(
  url: string,
): Promise<(query: string, input?: object) => Promise<Json>> {
  const post = async (path: string, body: object, token = ''): Promise<Json> => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok)
      throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const { token } = await post('/api/v1/auth/login', { username: 'root', password: rootPassword })
  const ask = async (query: string, input: object = {}): Promise<Json> => {
    const { data, errors } = await post('/graphql', { query, variables: { i: input } }, token)
    if (errors)
      throw new Error(
        `${query.slice(0, 60)} was answered with ${JSON.stringify(errors).slice(0, 300)}`,
      )
    return data
  }
  const isOpen = async (): Promise<boolean> =>
    (await ask('{ viewer { tenant { state } } }')).viewer.tenant.state === 'active'
  await waitFor(isOpen, { timeoutMs: 20_000, what: 'the tenant to open' })
  return ask
}

/** Creates a VM from a container disk, by default a running one. */
export async function aVmFor(
  ask: (query: string, input?: object) => Promise<Json>,
  input: { name: string } & Record<string, unknown>,
): Promise<Json> {
  const { vmTemplates } = await ask(
    '{ vmTemplates(first: 1, filter: { sourceType: container }) { nodes { id } } }',
  )
  const request = {
    templateId: vmTemplates.nodes[0].id,
    cpu: 1,
    memoryMi: 256,
    rootDisk: 'ephemeral',
    ...input,
  }
  return (
    await ask(
      'mutation ($i: CreateVmInput!) { createVm(input: $i, waitSeconds: 60) { vm { id name } } }',
      request,
    )
  ).createVm.vm
}
