import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Identity } from '../../objects/identity.ts'
import { registry } from '../../kinds/registry.ts'
import { Store } from '../storage/store.ts'
import { type JsonMap } from '../../objects/types.ts'
import { type Attributes, attributesOf } from './attributes.ts'
import { Authority } from './authority.ts'
import { notHeld } from './coverage.ts'
import { type Rule } from './rules.ts'

const folder = mkdtempSync(join(tmpdir(), 'berth-authority-'))
const store = new Store({ folder })
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const group = 'rbac.authorization.k8s.io'

function put(kind: string, [name, namespace]: readonly [string, string?], content: JsonMap): void {
  const metadata = namespace === undefined ? { name } : { name, namespace }
  store.put(registry.named(`${kind.toLowerCase()}s.${group}`), {
    apiVersion: `${group}/v1`,
    kind,
    metadata,
    ...content,
  })
}

const rule = (verbs: string, apiGroup: string, resources: string): JsonMap => ({
  verbs: verbs.split(' '),
  apiGroups: [apiGroup],
  resources: resources.split(' '),
})
const binds = (kind: string, name: string, ...subjects: JsonMap[]): JsonMap => ({
  roleRef: { apiGroup: group, kind, name },
  subjects,
})

beforeAll(() => {
  put('Role', ['reader', 'ns1'], {
    rules: [
      rule('get list', 'kubevirt.io', 'virtualmachines'),
      { ...rule('get', '', 'secrets'), resourceNames: ['one'] },
    ],
  })
  put(
    'RoleBinding',
    ['readers', 'ns1'],
    binds(
      'Role',
      'reader',
      { kind: 'User', name: 'ann' },
      { kind: 'ServiceAccount', name: 'robot' },
    ),
  )
  put('ClusterRole', ['scaler'], {
    rules: [rule('update', 'apps', '*/scale'), { verbs: ['get'], nonResourceURLs: ['/logs/*'] }],
  })
  put(
    'ClusterRoleBinding',
    ['scalers'],
    binds('ClusterRole', 'scaler', { kind: 'Group', name: 'scalers' }),
  )
  put('ClusterRole', ['all'], { rules: [rule('*', '*', '*')] })
  put('RoleBinding', ['owner', 'ns2'], binds('ClusterRole', 'all', { kind: 'User', name: 'bob' }))
  put('RoleBinding', ['lost', 'ns3'], binds('Role', 'gone', { kind: 'User', name: 'ann' }))
})

const who: Record<'ann' | 'bob' | 'robot' | 'scaler' | 'master', Identity> = {
  ann: { name: 'ann', groups: ['system:authenticated'] },
  bob: { name: 'bob', groups: ['system:authenticated'] },
  robot: { name: 'system:serviceaccount:ns1:robot', groups: ['system:serviceaccounts'] },
  scaler: { name: 'eve', groups: ['scalers'] },
  master: { name: 'root', groups: ['system:masters'] },
}

const asks = (line: string): Attributes => {
  const [method = '', url = ''] = line.split(' ')
  const [path = '', search = ''] = url.split('?')
  return attributesOf(method, path, new URLSearchParams(search))
}

const machines = (namespace: string): string =>
  `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines`
const start = '/apis/subresources.kubevirt.io/v1/namespaces/ns1/virtualmachines/vm/start'

describe('an act is allowed exactly when a bound role says so', () => {
  test.each<[keyof typeof who, string, boolean, string]>([
    ['ann', `GET ${machines('ns1')}`, true, 'her role lists machines'],
    ['ann', `GET ${machines('ns1')}/vm`, true, 'it gets them'],
    ['ann', `GET ${machines('ns1')}?watch=1`, false, 'watch is a verb of its own'],
    ['ann', `DELETE ${machines('ns1')}`, false, 'neither may she delete them all'],
    ['ann', `GET ${machines('ns2')}`, false, 'the role is of another namespace'],
    [
      'ann',
      'GET /apis/kubevirt.io/v1/virtualmachines',
      false,
      'a role of a namespace does not reach the cluster',
    ],
    ['ann', `PUT ${start}`, false, 'a subresource needs a rule of its own, in its own group'],
    ['ann', 'GET /api/v1/namespaces/ns1/secrets/one', true, 'the rule names it'],
    ['ann', 'GET /api/v1/namespaces/ns1/secrets/two', false, 'the rule names another'],
    ['robot', `GET ${machines('ns1')}`, true, 'an account without a namespace is of the binding’s'],
    [
      'bob',
      'DELETE /apis/anything.example/v1/namespaces/ns2/things/one',
      true,
      'a star is everything, in the namespace of the binding',
    ],
    ['bob', 'GET /api/v1/namespaces/ns2', true, 'a namespace is inside itself'],
    ['bob', 'GET /api/v1/namespaces', false, 'but not all namespaces'],
    ['bob', 'GET /metrics', false, 'paths are never of a namespace'],
    [
      'scaler',
      'PUT /apis/apps/v1/namespaces/ns1/deployments/web/scale',
      true,
      'the scale of every kind',
    ],
    ['scaler', 'PUT /apis/apps/v1/namespaces/ns1/deployments/web', false, 'only the scale'],
    ['scaler', 'GET /logs/kubelet', true, 'a star at the end of a path'],
    ['scaler', 'GET /logs', false, 'the path before the star has a slash'],
    ['master', 'POST /whatever', true, 'masters need no role'],
  ])('%s: %s is %s because %s', (name, line, allowed) => {
    expect(new Authority(store).verdict(who[name], asks(line)).allowed).toBe(allowed)
  })

  test('a verdict names the binding, or the role that was not to be found', () => {
    const authority = new Authority(store)
    expect(authority.verdict(who.robot, asks(`GET ${machines('ns1')}`)).reason).toBe(
      'RBAC: allowed by RoleBinding "readers/ns1" of Role "reader" to ServiceAccount "robot/ns1"',
    )
    expect(authority.verdict(who.ann, asks(`GET ${machines('ns3')}`)).reason).toBe(
      'RBAC: role.rbac.authorization.k8s.io "gone" not found',
    )
  })

  test('a changed role counts from the next question on', () => {
    const authority = new Authority(store)
    const question = asks('GET /api/v1/namespaces/ns4/pods')
    expect(authority.verdict(who.ann, question).allowed).toBe(false)
    put('RoleBinding', ['late', 'ns4'], binds('ClusterRole', 'late', { kind: 'User', name: 'ann' }))
    expect(authority.verdict(who.ann, question)).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('not found'),
    })
    put('ClusterRole', ['late'], { rules: [rule('list', '', 'pods')] })
    expect(authority.verdict(who.ann, question).allowed).toBe(true)
  })
})

describe('what a giver does not hold is told in few words', () => {
  const none = { resourceNames: [], nonResourceURLs: [] }
  const pods = (...verbs: string[]): Rule => ({
    ...none,
    verbs,
    apiGroups: [''],
    resources: ['pods'],
  })
  const logs: Rule = { ...pods('get'), resources: ['pods/log'] }
  const told = (verbs: string): string => `{APIGroups:[""], Resources:["pods"], Verbs:[${verbs}]}`
  test.each<[string, { held: Rule[]; wanted: Rule[]; missing: string[] }]>([
    ['the same', { held: [pods('get', 'list')], wanted: [pods('list')], missing: [] }],
    [
      'two verbs of one kind',
      {
        held: [pods('get')],
        wanted: [pods('get', 'list', 'watch')],
        missing: [told('"list" "watch"')],
      },
    ],
    [
      'all for one name',
      {
        held: [{ ...pods('get'), resourceNames: ['a'] }],
        wanted: [pods('get')],
        missing: [told('"get"')],
      },
    ],
    [
      'one name of all',
      { held: [pods('get')], wanted: [{ ...pods('get'), resourceNames: ['a'] }], missing: [] },
    ],
    [
      'a subresource of any',
      { held: [{ ...pods('get'), resources: ['*/log'] }], wanted: [logs], missing: [] },
    ],
  ])('%s', (_what, { held, wanted, missing }) => {
    expect(notHeld(held, wanted)).toEqual(missing)
  })
})
