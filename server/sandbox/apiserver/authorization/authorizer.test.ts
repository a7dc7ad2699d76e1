import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Identity } from '../../objects/identity.ts'
import { registry } from '../../kinds/registry.ts'
import { Store } from '../storage/store.ts'
import { type JsonMap } from '../../objects/types.ts'
import { type Attributes, attributesOf } from './attributes.ts'
import { Authorizer } from './authorizer.ts'
import { missingPermissions } from './missing-permissions.ts'
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

const attributesFor = (line: string): Attributes => {
  const [method = '', url = ''] = line.split(' ')
  const [path = '', search = ''] = url.split('?')
  return attributesOf(method, path, new URLSearchParams(search))
}

const vmsIn = (namespace: string): string =>
  `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines`
const start = '/apis/subresources.kubevirt.io/v1/namespaces/ns1/virtualmachines/vm/start'

describe('authorization of requests', () => {
  test.each<[keyof typeof who, string, boolean, string]>([
    ['ann', `GET ${vmsIn('ns1')}`, true, 'the role allows to list VMs'],
    ['ann', `GET ${vmsIn('ns1')}/vm`, true, 'the role allows to get VMs'],
    ['ann', `GET ${vmsIn('ns1')}?watch=1`, false, 'watch is a separate verb'],
    ['ann', `DELETE ${vmsIn('ns1')}`, false, 'deletecollection is a separate verb'],
    ['ann', `GET ${vmsIn('ns2')}`, false, 'the role belongs to another namespace'],
    [
      'ann',
      'GET /apis/kubevirt.io/v1/virtualmachines',
      false,
      'a role of a namespace does not apply to the cluster',
    ],
    ['ann', `PUT ${start}`, false, 'a subresource needs its own rule for its own group'],
    ['ann', 'GET /api/v1/namespaces/ns1/secrets/one', true, 'the rule lists this name'],
    ['ann', 'GET /api/v1/namespaces/ns1/secrets/two', false, 'the rule lists another name'],
    [
      'robot',
      `GET ${vmsIn('ns1')}`,
      true,
      'a subject without a namespace belongs to the namespace of the binding',
    ],
    [
      'bob',
      'DELETE /apis/anything.example/v1/namespaces/ns2/things/one',
      true,
      'a star allows everything in the namespace of the binding',
    ],
    ['bob', 'GET /api/v1/namespaces/ns2', true, 'a namespace object belongs to its own namespace'],
    ['bob', 'GET /api/v1/namespaces', false, 'the list of namespaces is cluster-scoped'],
    ['bob', 'GET /metrics', false, 'paths do not belong to a namespace'],
    [
      'scaler',
      'PUT /apis/apps/v1/namespaces/ns1/deployments/web/scale',
      true,
      'the rule covers the scale subresource of every kind',
    ],
    [
      'scaler',
      'PUT /apis/apps/v1/namespaces/ns1/deployments/web',
      false,
      'the rule covers only the scale subresource',
    ],
    ['scaler', 'GET /logs/kubelet', true, 'the rule ends with a star'],
    ['scaler', 'GET /logs', false, 'the path lacks the slash before the star'],
    ['master', 'POST /whatever', true, 'system:masters needs no role'],
  ])('user %s sends %s and gets allowed=%s because %s', (name, line, allowed) => {
    expect(new Authorizer(store).decide(who[name], attributesFor(line)).allowed).toBe(allowed)
  })

  test('a decision names the binding, or the role that does not exist', () => {
    const authority = new Authorizer(store)
    expect(authority.decide(who.robot, attributesFor(`GET ${vmsIn('ns1')}`)).reason).toBe(
      'RBAC: allowed by RoleBinding "readers/ns1" of Role "reader" to ServiceAccount "robot/ns1"',
    )
    expect(authority.decide(who.ann, attributesFor(`GET ${vmsIn('ns3')}`)).reason).toBe(
      'RBAC: role.rbac.authorization.k8s.io "gone" not found',
    )
  })

  test('a changed role applies to the next request', () => {
    const authority = new Authorizer(store)
    const attributes = attributesFor('GET /api/v1/namespaces/ns4/pods')
    expect(authority.decide(who.ann, attributes).allowed).toBe(false)
    put('RoleBinding', ['late', 'ns4'], binds('ClusterRole', 'late', { kind: 'User', name: 'ann' }))
    expect(authority.decide(who.ann, attributes)).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('not found'),
    })
    put('ClusterRole', ['late'], { rules: [rule('list', '', 'pods')] })
    expect(authority.decide(who.ann, attributes).allowed).toBe(true)
  })
})

describe('missing permissions of a grant', () => {
  const none = { resourceNames: [], nonResourceURLs: [] }
  const pods = (...verbs: string[]): Rule => ({
    ...none,
    verbs,
    apiGroups: [''],
    resources: ['pods'],
  })
  const logs: Rule = { ...pods('get'), resources: ['pods/log'] }
  const missingVerbs = (verbs: string): string =>
    `{APIGroups:[""], Resources:["pods"], Verbs:[${verbs}]}`
  test.each<[string, { held: Rule[]; requested: Rule[]; missing: string[] }]>([
    [
      'none for a held verb',
      { held: [pods('get', 'list')], requested: [pods('list')], missing: [] },
    ],
    [
      'two verbs of one resource in one rule',
      {
        held: [pods('get')],
        requested: [pods('get', 'list', 'watch')],
        missing: [missingVerbs('"list" "watch"')],
      },
    ],
    [
      'a verb for all names when only one name is held',
      {
        held: [{ ...pods('get'), resourceNames: ['a'] }],
        requested: [pods('get')],
        missing: [missingVerbs('"get"')],
      },
    ],
    [
      'none for one name when all names are held',
      { held: [pods('get')], requested: [{ ...pods('get'), resourceNames: ['a'] }], missing: [] },
    ],
    [
      'none for a subresource that a wildcard covers',
      { held: [{ ...pods('get'), resources: ['*/log'] }], requested: [logs], missing: [] },
    ],
  ])('a grant lists its missing permissions: %s', (_because, { held, requested, missing }) => {
    expect(missingPermissions(held, requested)).toEqual(missing)
  })
})
