import { createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type KubeAnswer,
  type KubeCall,
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'
import { sandboxFaults } from '../../../../test/support/sandbox/faults.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

let sandbox: RunningSandbox
let used = 0
let ns1: string
let ns2: string
let token: string

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const vmsIn = (namespace: string): string =>
  `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines`
const start = (name: string): string =>
  `/apis/subresources.kubevirt.io/v1/namespaces/${ns1}/virtualmachines/${name}/start`

beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 0.1 })
})
afterAll(() => sandbox.stop())
beforeEach(async () => {
  used += 1
  ;[ns1, ns2] = [`access-${used}-a`, `access-${used}-b`]
  for (const name of [ns1, ns2]) await make('/api/v1/namespaces', { metadata: { name } })
  await make(`/api/v1/namespaces/${ns1}/serviceaccounts`, { metadata: { name: 'u' } })
  token = await tokenOf('u')
})

const post = (path: string, body: unknown, call: KubeCall = {}) =>
  sandbox.call(path, { method: 'POST', body, ...call })

async function make(path: string, body: unknown): Promise<KubeAnswer> {
  const answer = await post(path, body)
  expect([200, 201], answer.text).toContain(answer.status)
  return answer
}

async function tokenOf(name: string, spec: object = {}): Promise<string> {
  const { text } = await make(`/api/v1/namespaces/${ns1}/serviceaccounts/${name}/token`, { spec })
  // The cast holds because the body is a TokenRequest.
  return (JSON.parse(text) as { status: { token: string } }).status.token
}

/** Sends the request as the service account. */
const asAccount = (path: string, call: KubeCall = {}) =>
  sandbox.call(path, {
    anonymous: true,
    ...call,
    headers: { authorization: `Bearer ${token}`, ...call.headers },
  })

async function grant(
  rules: object[],
  subject: object = { kind: 'ServiceAccount', name: 'u', namespace: ns1 },
): Promise<void> {
  const name = `r${(used += 1)}`
  await make(`${rbac}/namespaces/${ns1}/roles`, { metadata: { name }, rules })
  await make(`${rbac}/namespaces/${ns1}/rolebindings`, {
    metadata: { name },
    subjects: [subject],
    roleRef: { kind: 'Role', name },
  })
}

const rule = (verbs: string, apiGroup: string, ...resources: string[]) => ({
  verbs: verbs.split(' '),
  apiGroups: [apiGroup],
  resources,
})

const user = (): string => `system:serviceaccount:${ns1}:u`

test('a role of a namespace does not apply to another namespace, to the cluster or to other verbs', async () => {
  await grant([rule('get list', 'kubevirt.io', 'virtualmachines')])
  expect((await asAccount(vmsIn(ns1))).status).toBe(200)
  const paths = [vmsIn(ns2), '/apis/kubevirt.io/v1/virtualmachines', `${vmsIn(ns1)}?watch=1`]
  const answers = await Promise.all(paths.map((path) => asAccount(path)))
  expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
    [403, forbidden('list', `in the namespace "${ns2}"`)],
    [403, forbidden('list', 'at the cluster scope')],
    [403, forbidden('watch', `in the namespace "${ns1}"`)],
  ])
})

const forbidden = (verb: string, where: string): string =>
  `virtualmachines.kubevirt.io is forbidden: User "${user()}" cannot ${verb} resource "virtualmachines" in API group "kubevirt.io" ${where}`

test('a VM subresource needs a separate rule', async () => {
  await grant([rule('*', 'kubevirt.io', '*')])
  const refused = await asAccount(start('vm'), { method: 'PUT', body: {} })
  expect([refused.status, refused.body.message]).toEqual([
    403,
    `virtualmachines.subresources.kubevirt.io "vm" is forbidden: User "${user()}" cannot update resource "virtualmachines/start" in API group "subresources.kubevirt.io" in the namespace "${ns1}"`,
  ])
  await grant([rule('update', 'subresources.kubevirt.io', 'virtualmachines/start')])
  expect((await asAccount(start('vm'), { method: 'PUT', body: {} })).status).toBe(404)
})

test('a rule may be limited to resource names', async () => {
  await grant([{ ...rule('get', '', 'secrets'), resourceNames: ['one'] }])
  const statuses = ['/one', '/two', ''].map(
    async (name) => (await asAccount(`/api/v1/namespaces/${ns1}/secrets${name}`)).status,
  )
  expect(await Promise.all(statuses)).toEqual([404, 403, 403])
})

test('an anonymous client is forbidden all paths that are not public', async () => {
  const paths = ['/healthz', '/livez', '/readyz', '/version', '/apis', vmsIn(ns1)]
  const answers = await Promise.all(paths.map((path) => sandbox.call(path, { anonymous: true })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 403, 403])
})

test('a token becomes invalid when it expires, or its account or bound object is deleted', async () => {
  const review = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' }
  const isKnown = async (): Promise<number> =>
    (
      await asAccount('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
        method: 'POST',
        body: review,
      })
    ).status
  expect(await isKnown()).toBe(201)
  await sandboxFaults(sandbox).inject('clock/advance', { ms: 3_601_000 })
  expect(await isKnown()).toBe(401)
  await make(`/api/v1/namespaces/${ns1}/secrets`, { metadata: { name: 'bound' } })
  token = await tokenOf('u', {
    boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'bound' },
  })
  expect(await isKnown()).toBe(201)
  await sandbox.call(`/api/v1/namespaces/${ns1}/secrets/bound`, { method: 'DELETE' })
  expect(await isKnown()).toBe(401)
  token = await tokenOf('u')
  const account = `/api/v1/namespaces/${ns1}/serviceaccounts`
  await sandbox.call(`${account}/u`, { method: 'DELETE' })
  await make(account, { metadata: { name: 'u' } })
  expect(await isKnown()).toBe(401)
})

test('a client with access to the keys of the issuer can verify its tokens', async () => {
  const discovery = await asAccount('/.well-known/openid-configuration')
  // The fields of the discovery document that the specification defines.
  const configuration = JSON.parse(discovery.text) as Record<'issuer' | 'jwks_uri', string> &
    Record<string, string[]>
  const answer = await asAccount(new URL(configuration.jwks_uri).pathname)
  expect([discovery.status, answer.status, answer.headers['content-type']]).toEqual([
    200,
    200,
    'application/jwk-set+json',
  ])
  // The body is a JSON Web Key Set.
  const { keys } = JSON.parse(answer.text) as { keys: Record<string, string>[] }
  const [head = '', body = '', signature = ''] = token.split('.')
  const [header, claims] = [head, body].map(
    (part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, string>,
  )
  const key = keys.find((each) => each['kid'] === header?.['kid'])
  expect(key).toMatchObject({ use: 'sig', alg: header?.['alg'] })
  expect(configuration['id_token_signing_alg_values_supported']).toEqual([header?.['alg']])
  expect(claims?.['iss']).toBe(configuration.issuer)
  const isSigned = (content: string): boolean => {
    const publicKey = createPublicKey({ key: key ?? {}, format: 'jwk' })
    return verify(
      'sha256',
      Buffer.from(content),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
  }
  expect([isSigned(`${head}.${body}`), isSigned(`${head}.${body}x`)]).toEqual([true, false])
  expect((await sandbox.call('/openid/v1/jwks', { anonymous: true })).status).toBe(403)
})

test('a token for another audience is refused here, but a review for that audience accepts it', async () => {
  token = await tokenOf('u', { audiences: ['vault'] })
  expect((await asAccount('/apis')).status).toBe(401)
  const ask = async (audiences: string[]) => {
    const { text } = await make('/apis/authentication.k8s.io/v1/tokenreviews', {
      spec: { token, audiences },
    })
    // The cast holds because the body is a TokenReview.
    return (
      JSON.parse(text) as { status: { authenticated?: boolean; user: { username?: string } } }
    ).status
  }
  expect(await ask(['vault'])).toMatchObject({ authenticated: true, user: { username: user() } })
  expect((await ask(['other'])).authenticated).toBeUndefined()
})

test('a Secret of a service account gets a token and is deleted with the account', async () => {
  const path = `/api/v1/namespaces/${ns1}/secrets`
  const annotations = { 'kubernetes.io/service-account.name': 'u' }
  await make(path, {
    metadata: { name: 'legacy', annotations },
    type: 'kubernetes.io/service-account-token',
  })
  const read = () => sandbox.call(`${path}/legacy`)
  await waitFor(async () => (await read()).body.data?.['token'] !== undefined, {
    what: 'the token',
  })
  token = Buffer.from((await read()).body.data?.['token'] ?? '', 'base64').toString()
  expect((await asAccount('/apis')).status).toBe(200)
  await sandbox.call(`/api/v1/namespaces/${ns1}/serviceaccounts/u`, { method: 'DELETE' })
  await waitFor(async () => (await read()).status === 404, { what: 'deletion of the Secret' })
  expect((await asAccount('/apis')).status).toBe(401)
})

test('a user with permission to impersonate has the permissions of the impersonated user', async () => {
  await grant([rule('list', '', 'configmaps')], { kind: 'User', name: 'ann' })
  const path = `/api/v1/namespaces/${ns1}/configmaps`
  const headers = { 'impersonate-user': 'ann' }
  expect((await sandbox.call(path, { headers })).status).toBe(200)
  expect((await sandbox.call(`/api/v1/namespaces/${ns1}/pods`, { headers })).status).toBe(403)
  const refused = await asAccount(path, { headers })
  expect([refused.status, refused.body.message]).toEqual([
    403,
    `users "ann" is forbidden: User "${user()}" cannot impersonate resource "users" in API group "" at the cluster scope`,
  ])
})

test('a user cannot grant permissions that they do not hold', async () => {
  await grant([
    rule('create', 'rbac.authorization.k8s.io', 'roles', 'rolebindings'),
    rule('get', '', 'pods'),
  ])
  await grant([
    { ...rule('bind', 'rbac.authorization.k8s.io', 'clusterroles'), resourceNames: ['view'] },
  ])
  const role = (name: string, verbs: string) =>
    asAccount(`${rbac}/namespaces/${ns1}/roles`, {
      method: 'POST',
      body: { metadata: { name }, rules: [rule(verbs, '', 'pods')] },
    })
  const bind = (name: string) =>
    asAccount(`${rbac}/namespaces/${ns1}/rolebindings`, {
      method: 'POST',
      body: { metadata: { name }, subjects: [], roleRef: { kind: 'ClusterRole', name } },
    })
  expect((await role('held', 'get')).status).toBe(201)
  const refused = await role('more', 'get delete')
  expect(refused.status).toBe(403)
  expect(refused.body.message).toContain(
    'not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}',
  )
  expect([
    (await bind('view')).status,
    (await bind('admin')).status,
    (await bind('nothing')).status,
  ]).toEqual([201, 403, 404])
})

test('a binding cannot change its role, and a rule must name groups and resources', async () => {
  await make(`${rbac}/clusterrolebindings`, {
    metadata: { name: ns1 },
    subjects: [],
    roleRef: { kind: 'ClusterRole', name: 'view' },
  })
  const merge = { 'content-type': 'application/merge-patch+json' }
  const changed = await sandbox.call(`${rbac}/clusterrolebindings/${ns1}`, {
    method: 'PATCH',
    headers: merge,
    body: { roleRef: { name: 'edit' } },
  })
  expect([changed.status, changed.body.details?.causes?.[0]?.field]).toEqual([422, 'roleRef'])
  const empty = await post(`${rbac}/namespaces/${ns1}/roles`, {
    metadata: { name: 'r' },
    rules: [{ verbs: ['get'] }],
  })
  expect(empty.body.details?.causes?.map(({ field }) => field)).toEqual([
    'rules[0].apiGroups',
    'rules[0].resources',
  ])
})

test('an aggregated role includes the rules of matching roles', async () => {
  const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' }
  await make(`${rbac}/clusterroles`, {
    metadata: { name: ns1, labels },
    rules: [rule('get', 'example.com', ns1)],
  })
  const has = async (name: string): Promise<boolean> =>
    (await sandbox.call(`${rbac}/clusterroles/${name}`)).text.includes(`["${ns1}"]`)
  await waitFor(async () => (await has('view')) && (await has('admin')), {
    what: 'the aggregated roles',
  })
})

test('an access review has the same result as the request', async () => {
  await grant([rule('list', 'kubevirt.io', 'virtualmachines')])
  const review = async (verb: string, namespace: string): Promise<boolean> => {
    const spec = {
      resourceAttributes: { verb, namespace, group: 'kubevirt.io', resource: 'virtualmachines' },
    }
    const path = '/apis/authorization.k8s.io/v1'
    const own = await asAccount(`${path}/selfsubjectaccessreviews`, {
      method: 'POST',
      body: { spec },
    })
    const reviewed = await make(`${path}/subjectaccessreviews`, { spec: { ...spec, user: user() } })
    // The casts hold because both bodies are access reviews.
    const [mine, theirs] = [own, reviewed].map(
      ({ text }) => (JSON.parse(text) as { status: { allowed: boolean } }).status.allowed,
    )
    expect(mine).toBe(theirs)
    return mine === true
  }
  for (const [verb, namespace, search] of [
    ['list', ns1, ''],
    ['watch', ns1, '?watch=1&timeoutSeconds=1'],
    ['list', ns2, ''],
  ] as const) {
    const { status } = await asAccount(`${vmsIn(namespace)}${search}`)
    expect(await review(verb, namespace), `${verb} in ${namespace}`).toBe(status === 200)
  }
})
