import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { sealFromSecret } from '../../../server/src/runtime/seal.ts'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import { openDatabase } from '../../../server/src/store/database.ts'
import { storeOn } from '../../../server/src/store/store.ts'
import { GraphqlSocketClient } from '../../support/clients/graphql-client.ts'
import { type Json } from '../../support/json.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Client, type GraphAnswer } from '../../support/clients/http-client.ts'
import { everyRow, stateHash } from '../../support/world/database-state.ts'
import {
  type World,
  type WorldTenant,
  aWorld,
  adminPassword,
  unique,
} from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let other: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant()
  other = await world.tenant()
})

const fields = 'id tenantId name publicKey fingerprint version createdAt updatedAt'
const create = `mutation ($name: String!) { createSshKey(input: { name: $name }) { sshKey { ${fields} } privateKeyPem } }`
const register = `mutation ($name: String!, $publicKey: String!) { registerSshKey(input: { name: $name, publicKey: $publicKey }) { sshKey { ${fields} } } }`
const remove = `mutation ($id: ID!) { deleteSshKey(input: { id: $id }) { sshKey { ${fields} } } }`
const one = `query ($id: ID!) { sshKey(id: $id) { ${fields} } }`
const list = `query ($first: Int, $after: String, $filter: SshKeyFilter, $orderBy: SshKeyOrder) {
  sshKeys(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { totalCount pageInfo { hasNextPage endCursor } nodes { ${fields} } } }`

/** Generates a new public key. */
const aLine = (): string => {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const head = Buffer.from('0000000b7373682d6564323535313900000020', 'hex')
  return `ssh-ed25519 ${Buffer.concat([head, Buffer.from(x, 'base64url')]).toString('base64')}`
}
const registered = async (client: Client, name = unique('k'), publicKey = aLine()): Promise<Json> =>
  (await client.ask(register, { name, publicKey })).registerSshKey.sshKey
const names = (answer: Json): string[] => answer.sshKeys.nodes.map((key: Json) => key.name)
const codes = (answers: GraphAnswer[]): (string | null)[] => answers.map(({ code }) => code).sort()
const once = (count: number): (string | null)[] => [
  ...new Array<string>(count - 1).fill('already_exists'),
  null,
]

/** Opens a subscription and collects its changes. */
const listener = async (
  token: string,
): Promise<{ peer: GraphqlSocketClient; changes: () => Json[] }> => {
  const peer = await GraphqlSocketClient.login(world.url, { token })
  const id = peer.subscribe(
    'subscription { changes(kinds: [ssh_key, api_key]) { kind objectId tenantId version } }',
  )
  // The server handles messages in order, so the subscription is open once this answer arrives.
  await peer.ask('{ platform { name } }')
  return { peer, changes: () => peer.of(id).map(({ payload }) => payload.data.changes) }
}

describe('an SSH key', () => {
  test('a created key shows its private half once, and is read, listed and deleted by its id', async () => {
    const name = unique('made')
    const { sshKey, privateKeyPem } = (await tenant.admin.ask(create, { name })).createSshKey
    expect(privateKeyPem).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----\n/)
    expect(sshKey).toMatchObject({ tenantId: tenant.id, name, version: 1 })
    expect(sshKey.publicKey).toMatch(/^ssh-ed25519 AAAA\S+$/)
    expect(sshKey.fingerprint).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
    expect((await tenant.admin.ask(one, { id: sshKey.id })).sshKey).toEqual(sshKey)
    expect((await tenant.admin.ask(list, { filter: { search: name } })).sshKeys).toMatchObject({
      totalCount: 1,
      nodes: [sshKey],
    })
    expect((await tenant.admin.ask(remove, { id: sshKey.id })).deleteSshKey.sshKey).toEqual(sshKey)
    expect((await tenant.admin.ask(one, { id: sshKey.id })).sshKey).toBeNull()
    expect((await tenant.admin.graphql(remove, { id: sshKey.id })).code).toBe('not_found')
    expect((await tenant.admin.graphql(create, { name })).code).toBeNull()
  })

  test('a registered key is stored without its comment, with the fingerprint of ssh-keygen', async () => {
    // A key without a stored private half. `ssh-keygen -l` printed the fingerprint below.
    const publicKey =
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHnUNVfppnqA4X0Nt9B5/IIH0sNdMLR+mHTkCMC8brta'
    const key = await registered(tenant.admin, unique('mine'), `${publicKey} me@example\n`)
    expect(key).toMatchObject({
      publicKey,
      fingerprint: 'SHA256:XxvSbAvpCNc1PKkFAqd8z2/5/DHx+vaY49jJFX0mdzY',
    })
  })

  test('a malformed key or an empty name is refused', async () => {
    const before = await stateHash(world.database)
    for (const variables of [
      { name: 'x', publicKey: 'ssh-ed25519 AAAA' },
      { name: 'x', publicKey: `${aLine()} x\nruncmd:\n  - curl evil` },
      { name: 'x', publicKey: `no-pty ${aLine()}` },
      { name: '!!!', publicKey: aLine() },
      { name: 'x'.repeat(51), publicKey: aLine() },
    ])
      expect([variables, (await tenant.admin.graphql(register, variables)).code]).toEqual([
        variables,
        'invalid_input',
      ])
    expect((await tenant.admin.graphql(create, { name: ' ' })).code).toBe('invalid_input')
    expect(await stateHash(world.database)).toBe(before)
  })

  test('a key is unique in its tenant by name and by fingerprint, and the refusal gives the name', async () => {
    const [name, line] = [unique('first'), aLine()]
    await registered(tenant.admin, name, line)
    const again = await tenant.admin.graphql(register, {
      name: unique('second'),
      publicKey: `${line} another comment`,
    })
    expect([again.code, again.text.includes(name)]).toEqual(['already_exists', true])
    expect((await tenant.admin.graphql(register, { name, publicKey: aLine() })).code).toBe(
      'already_exists',
    )
    expect((await tenant.admin.graphql(create, { name })).code).toBe('already_exists')
    expect(await registered(other.admin, name, line)).toMatchObject({
      name,
      publicKey: line,
      tenantId: other.id,
    })
  })

  test('a key that 16 requests add under one name or with one public key exists once', async () => {
    const [name, line] = [unique('race'), aLine()]
    const sixteen = (ask: () => Promise<GraphAnswer>): Promise<GraphAnswer[]> =>
      Promise.all(Array.from({ length: 16 }, ask))
    expect(codes(await sixteen(() => tenant.admin.graphql(create, { name })))).toEqual(once(16))
    expect(
      codes(
        await sixteen(() =>
          tenant.admin.graphql(register, { name: unique('race'), publicKey: line }),
        ),
      ),
    ).toEqual(once(16))
    expect((await tenant.admin.ask(list, { filter: { search: name } })).sshKeys.totalCount).toBe(1)
  })

  test('a key that four requests delete is deleted by one', async () => {
    const { id } = await registered(tenant.admin)
    const answers = await Promise.all([1, 2, 3, 4].map(() => tenant.admin.graphql(remove, { id })))
    expect(codes(answers)).toEqual(['not_found', 'not_found', 'not_found', null])
  })
})

describe('the keys of a tenant', () => {
  test('a tenant has at most 100 SSH keys, even when many are added at once', async () => {
    const crowded = await world.tenant()
    await world.database.sql(`insert into ssh_key (id, tenant_id, name, public_key, fingerprint)
      select gen_random_uuid(), '${crowded.id}', 'k-' || n, 'ssh-ed25519 AAAA', 'SHA256:' || lpad(n::text, 43, '0') from generate_series(1, 97) n`)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => crowded.admin.graphql(create, { name: unique('k') })),
    )
    expect(codes(answers)).toEqual(
      [...new Array<null>(3).fill(null), ...new Array<string>(5).fill('quota_exceeded')].sort(),
    )
    const { sshKeys } = await crowded.admin.ask(list, { first: 1 })
    expect(sshKeys.totalCount).toBe(100)
    await crowded.admin.ask(remove, { id: sshKeys.nodes[0].id })
    await registered(crowded.admin)
  })

  test('a deleted tenant loses its SSH keys', async () => {
    const leaving = await world.tenant()
    await registered(leaving.admin)
    await world.root.ask(
      `mutation ($id: ID!) { deleteTenant(input: { id: $id }) { tenant { id } } }`,
      { id: leaving.id },
    )
    await world.ended('delete_tenant', leaving.id)
    expect(
      (await world.root.with({ 'x-tenant-id': leaving.id }).graphql(create, { name: 'late' })).code,
    ).not.toBeNull()
    expect(
      await world.database.sql(`select id from ssh_key where tenant_id = '${leaving.id}'`),
    ).toEqual([])
  })
})

describe('access to SSH keys', () => {
  test('keys are sorted by name or age, paged, and found by name or fingerprint', async () => {
    const owner = (await world.tenant()).admin
    const keys = []
    for (const name of ['b-key', 'c-key', 'a-key']) keys.push(await registered(owner, name))
    expect(names(await owner.ask(list))).toEqual(['a-key', 'b-key', 'c-key'])
    for (const [by, direction, expected] of [
      ['name', 'desc', ['c-key', 'b-key', 'a-key']],
      ['createdAt', 'asc', ['b-key', 'c-key', 'a-key']],
      ['createdAt', 'desc', ['a-key', 'c-key', 'b-key']],
    ] as const) {
      const listedNames: string[] = []
      for (let after: string | null = null; listedNames.length < 3;) {
        const page: Json = await owner.ask(list, { first: 2, after, orderBy: { by, direction } })
        expect([page.sshKeys.totalCount, page.sshKeys.pageInfo.hasNextPage]).toEqual([
          3,
          listedNames.length === 0,
        ])
        listedNames.push(...names(page))
        after = page.sshKeys.pageInfo.endCursor
      }
      expect([by, direction, listedNames]).toEqual([by, direction, expected])
    }
    expect(names(await owner.ask(list, { filter: { search: 'C-K' } }))).toEqual(['c-key'])
    expect(
      names(await owner.ask(list, { filter: { search: keys[2].fingerprint.slice(10, 30) } })),
    ).toEqual(['a-key'])
    expect(names(await owner.ask(list, { filter: { search: '%' } }))).toEqual([])
  })

  test('keys of another tenant cannot be read, listed, found or deleted', async () => {
    const theirs = await registered(other.admin)
    expect((await tenant.admin.ask(one, { id: theirs.id })).sshKey).toBeNull()
    expect(
      (await tenant.admin.ask(list, { filter: { search: theirs.name } })).sshKeys,
    ).toMatchObject({ totalCount: 0, nodes: [] })
    const [foreign, absent] = [theirs.id, randomUUID()].map((id) =>
      tenant.admin.graphql(remove, { id }),
    )
    expect([(await foreign)?.code, (await absent)?.code]).toEqual(['not_found', 'not_found'])
    expect((await other.admin.ask(one, { id: theirs.id })).sshKey).toEqual(theirs)
    const named = world.root.with({ 'x-tenant-id': other.id })
    expect((await named.ask(one, { id: theirs.id })).sshKey).toEqual(theirs)
    expect((await world.root.ask(one, { id: theirs.id })).sshKey).toBeNull()
  })

  test('keys are readable by a viewer and writable by an operator, and refused without permission', async () => {
    const [viewer, operator] = [await tenant.as('viewer'), await tenant.as('operator')]
    const key = await registered(operator)
    expect((await viewer.ask(one, { id: key.id })).sshKey).toEqual(key)
    const before = await stateHash(world.database)
    const mutations = [
      [create, { name: unique('k') }],
      [register, { name: unique('k'), publicKey: aLine() }],
      [remove, { id: key.id }],
    ] as const
    for (const [document, variables] of mutations) {
      expect((await viewer.graphql(document, variables)).code).toBe('forbidden')
      expect((await world.anonymous.graphql(document, variables)).code).toBe('unauthenticated')
    }
    expect((await world.anonymous.graphql(list)).code).toBe('unauthenticated')
    expect(await stateHash(world.database)).toBe(before)
    const { secret } = (
      await tenant.admin.rest('POST', '/api-keys', { body: { name: 'ci', scopes: ['vms:read'] } })
    ).body
    expect((await world.wire.client(secret).graphql(list)).code).toBe('forbidden')
  })

  test('each creation and deletion of a key leaves an audit row', async () => {
    const name = unique('audited')
    const [made, gone] = [{ 'x-request-id': unique('made') }, { 'x-request-id': unique('gone') }]
    const { sshKey } = (await tenant.admin.graphql(create, { name }, made)).data.createSshKey
    await tenant.admin.graphql(remove, { id: sshKey.id }, gone)
    for (const [headers, operation] of [
      [made, 'createSshKey'],
      [gone, 'deleteSshKey'],
    ] as const)
      expect(
        await world.database.sql(
          `select * from audit_event where request_id = '${headers['x-request-id']}'`,
        ),
      ).toMatchObject([
        {
          operation,
          outcome: 'allowed',
          tenant_id: tenant.id,
          target_kind: 'ssh_key',
          target_id: sshKey.id,
          target_name: name,
        },
      ])
  })

  test('changes of keys reach the subscribers that may read keys, and no other subscriber', async () => {
    const { role } = (
      await tenant.admin.rest('POST', '/roles', {
        body: { name: unique('deaf'), permissions: ['vms:read'] },
      })
    ).body
    const username = unique('deaf')
    await tenant.admin.rest('POST', '/users', {
      body: { username, password: adminPassword, role_id: role.id },
    })
    const clients = [tenant.admin, await world.login(username, adminPassword), other.admin]
    const listeners = await Promise.all(clients.map(({ token }) => listener(token)))
    const { id, version } = await registered(tenant.admin)
    // Earlier changes may still arrive.
    const [reader, unprivileged, stranger] = listeners.map(
      ({ changes }) =>
        () =>
          changes().filter(({ objectId }) => objectId === id),
    )
    // Changes of one object that wait together are sent as one.
    await waitFor(() => reader?.().length === 1, { what: 'the first change' })
    await tenant.admin.ask(remove, { id })
    for (const { admin } of [tenant, other])
      await admin.rest('POST', '/api-keys', { body: { name: 'ci' } })
    await waitFor(() => listeners.every(({ changes }) => changes().at(-1)?.kind === 'api_key'), {
      what: 'the last change',
    })
    const change = { kind: 'ssh_key', objectId: id, tenantId: tenant.id }
    expect(reader?.()).toEqual([
      { ...change, version },
      { ...change, version: version + 1 },
    ])
    expect([unprivileged?.(), stranger?.()]).toEqual([[], []])
    for (const { peer } of listeners) peer.leave()
  })
})

test('a deploy reads its public keys in the requested order and reports the first missing key', async () => {
  const database = await openDatabase({
    url: world.database.url,
    log: createLog('silent'),
    poolSize: 1,
  })
  try {
    const store = storeOn({
      database,
      clock: systemClock,
      seal: sealFromSecret(new Secret('x'.repeat(32)), 'answers'),
    })
    const { sshKeys } = store.reads({ tenantId: tenant.id })
    const [a, b, theirs] = [
      await registered(tenant.admin),
      await registered(tenant.admin),
      await registered(other.admin),
    ]
    const absent = randomUUID()
    expect(await sshKeys.publicKeysOf([])).toEqual([])
    expect(await sshKeys.publicKeysOf([b.id, a.id.toUpperCase()])).toEqual([
      b.publicKey,
      a.publicKey,
    ])
    for (const [ids, missing] of [
      [[a.id, absent, theirs.id], absent],
      [[a.id, theirs.id, absent], theirs.id],
      [['no id', b.id], 'no id'],
    ] as const)
      await expect(sshKeys.publicKeysOf(ids)).rejects.toMatchObject({
        code: 'not_found',
        message: `SSH key not found: ${missing}; check the name or id, and the tenant in which you act.`,
      })
  } finally {
    await database.close()
  }
})

describe('createSshKey', () => {
  test('a repeated createSshKey returns the same private key, which is in no row and no log', async () => {
    const headers = { 'idempotency-key': unique('key') }
    const name = unique('same')
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => tenant.admin.graphql(create, { name }, headers)),
    )
    const late = await tenant.admin.graphql(create, { name }, headers)
    const replies = [...answers.filter(({ code }) => code !== 'overloaded'), late].map(
      ({ data }) => data,
    )
    expect(new Set(replies.map((data) => JSON.stringify(data)))).toHaveLength(1)
    const { sshKey, privateKeyPem } = late.data.createSshKey
    expect((await tenant.admin.graphql(create, { name: unique('x') }, headers)).code).toBe(
      'idempotency_conflict',
    )
    const rows = [...(await everyRow(world.database)).values()].join('\n')
    expect(rows).toContain(sshKey.fingerprint)
    const stored = `${rows}\n${world.logged.join('\n')}`
    const body: string[] = privateKeyPem.split('\n').slice(1, -2)
    // The third line has the random check bytes, the fourth the seed of the private key.
    for (const secret of ['BEGIN OPENSSH', ...body.slice(2, 4)])
      for (const form of [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64').slice(0, -4),
      ])
        expect(stored.includes(form)).toBe(false)
  })
})
