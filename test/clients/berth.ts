import { join } from 'node:path'
import { type Json } from '../support/json.ts'
import { waitFor } from '../support/wait-for.ts'
import { login, startProduct } from '../bench/product/product.ts'

/** A built Berth with its sandbox, and a tenant in which the clients deploy VMs. */
export interface Installation extends AsyncDisposable {
  url: string
  /** A token of the administrator of the tenant. */
  token: string
}

const password = 'admin of the clients'

export async function startBerth(folder: string): Promise<Installation> {
  const product = await startProduct({ program: 'start', folder: join(folder, 'berth') })
  const url = `http://127.0.0.1:${product.port}`
  const send = async (path: string, token: string, body?: unknown): Promise<Json> => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  const root = await login(product.port)
  const { tenant } = await send('/tenants', root, { slug: 'clients', admin_password: password })
  const isActive = async (): Promise<boolean> =>
    (await send(`/tenants/${tenant.id}`, root)).tenant.state === 'active'
  await waitFor(isActive, { timeoutMs: 60_000, what: 'the tenant to be active' })
  const { token } = await send('/auth/login', '', { username: 'clients-admin', password })
  return { url, token, [Symbol.asyncDispose]: () => product[Symbol.asyncDispose]() }
}
