import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, enrol } from '../../support/clients/authenticator.ts'
import { type Client, type WireAnswer } from '../../support/clients/http-client.ts'
import { type Json } from '../../support/json.ts'
import { everyRow } from '../../support/world/database-state.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  type World,
  type WorldTenant,
  adminPassword as password,
  aWorld,
  unique,
} from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant('acme')
})

interface TestUser {
  id: string
  username: string
  login: Client
}

async function aUser(of = tenant, role_name = 'tenant.operator'): Promise<TestUser> {
  const username = unique('user')
  const made = await of.admin.rest('POST', '/users', { body: { username, password, role_name } })
  expect(made.status).toBe(201)
  return { id: made.body.user.id, username, login: await world.login(username, password) }
}

async function anEnrolledUser(of = tenant, role_name?: string) {
  const user = await aUser(of, role_name)
  return { ...user, ...(await enrol(user.login, password)) }
}

const logIn = (username: string, code?: string, secret = password): Promise<WireAnswer> =>
  world.anonymous.rest('POST', '/auth/login', { body: { username, password: secret, code } })
const codeIn = ({ status, body }: WireAnswer): [number, string | undefined] => [status, body?.code]

/** Lets a code of the present step be used again, as 30 seconds would. */
const passStep = () => world.database.sql('update second_factor set last_step = 0')

/** Returns the failures of the name alone, or of `tenant/name`. */
const failuresOf = async (account: string): Promise<unknown> => {
  const [row] = await world.database.sql(
    `select failures from login_throttle where key = sha256(convert_to('account ${account} at 127.0.0.1', 'UTF8'))`,
  )
  return row?.['failures'] ?? 0
}

describe('a login with a second factor', () => {
  test('a login with the right password needs a code, over every interface', async () => {
    const { username, secret } = await anEnrolledUser()
    expect(codeIn(await logIn(username))).toEqual([401, 'second_factor_required'])
    expect(codeIn(await logIn(username, ''))).toEqual([401, 'second_factor_required'])
    const overGraph = await world.anonymous.graphql(
      'mutation ($i: LoginInput!) { login(input: $i) { token } }',
      { i: { username, password } },
    )
    expect(overGraph.code).toBe('second_factor_required')
    const session = (code?: string) =>
      world.wire.send('POST', '/auth/session', { body: { username, password, code } })
    expect(codeIn(await session())).toEqual([401, 'second_factor_required'])
    expect((await session(codeOf(secret, 1))).status).toBe(200)
    await passStep()
    expect((await logIn(username, codeOf(secret))).status).toBe(200)
  })

  test('a wrong password is refused alike with and without a second factor', async () => {
    const { username, secret } = await anEnrolledUser()
    for (const code of [undefined, codeOf(secret, 1), '000000'])
      expect(codeIn(await logIn(username, code, 'wrong'))).toEqual([401, 'invalid_credentials'])
  })

  test('a code works once, also when it arrives twice at the same moment', async () => {
    const { username, secret } = await anEnrolledUser()
    expect(codeIn(await logIn(username, codeOf(secret)))).toEqual([401, 'second_factor_invalid'])
    const next = codeOf(secret, 1)
    const both = await Promise.all([logIn(username, next), logIn(username, ` ${next} `)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect(codeIn(await logIn(username, next))).toEqual([401, 'second_factor_invalid'])
  })

  test('a recovery code works once, however it is typed', async () => {
    const { username, login, recoveryCodes } = await anEnrolledUser()
    expect(recoveryCodes).toHaveLength(10)
    const [first = '', second = ''] = recoveryCodes
    expect((await logIn(username, first)).status).toBe(200)
    expect(codeIn(await logIn(username, first))).toEqual([401, 'second_factor_invalid'])
    expect((await logIn(username, second.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    const { body } = await login.rest('GET', '/auth/second-factor')
    expect(body).toMatchObject({ recovery_codes_left: 8, is_required: false, is_available: true })
  })

  test('wrong codes count in the throttle, and the password alone does not reset it', async () => {
    const { id, username, secret } = await anEnrolledUser()
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(codeIn(await logIn(username))).toEqual([401, 'second_factor_required'])
      expect(codeIn(await logIn(username, '000000'))).toEqual([401, 'second_factor_invalid'])
      expect(await failuresOf(`alone ${id}`)).toBe(attempt + 1)
    }
    expect(codeIn(await logIn(username, '000000'))).toEqual([401, 'second_factor_invalid'])
    const refused = await logIn(username, codeOf(secret, 1))
    expect(codeIn(refused)).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await world.database.sql('update login_throttle set blocked_until = null')
    expect((await logIn(username, codeOf(secret, 1))).status).toBe(200)
    expect(await failuresOf(`alone ${id}`)).toBe(0)
  })

  test('each refused login leaves an audit row', async () => {
    const { username, secret } = await anEnrolledUser()
    await logIn(username)
    await logIn(username, '000000')
    await logIn(username, codeOf(secret, 1))
    const { auditEvents } = await tenant.admin.ask(
      'query ($f: AuditEventFilter) { auditEvents(first: 4, filter: $f) { nodes { operation outcome code } } }',
      { f: { actorName: username } },
    )
    expect(auditEvents.nodes).toEqual([
      { operation: 'login', outcome: 'allowed', code: null },
      { operation: 'login', outcome: 'refused', code: 'second_factor_invalid' },
      { operation: 'login', outcome: 'refused', code: 'second_factor_required' },
      { operation: 'confirmSecondFactor', outcome: 'allowed', code: null },
    ])
  })

  test('the login of a user without a second factor is unchanged, also with a code', async () => {
    const { username } = await aUser()
    const [plain, withCode] = [await logIn(username), await logIn(username, '123456')]
    expect(plain.status).toBe(200)
    expect(Object.keys(plain.body)).toEqual(['token', 'expires_at', 'user'])
    expect(Object.keys(withCode.body.user)).toEqual(Object.keys(plain.body.user))
  })
})

describe('setting up a second factor', () => {
  test('a second factor counts only after a code confirms it', async () => {
    const { username, login } = await aUser()
    const begin = () => login.rest('POST', '/auth/second-factor', { body: { password } })
    const confirm = (code: string) =>
      login.rest('POST', '/auth/second-factor/confirm', { body: { code } })
    expect(codeIn(await confirm('000000'))).toEqual([409, 'wrong_state'])
    const first = await begin()
    expect(first.body.url).toBe(
      `otpauth://totp/Berth:${encodeURIComponent(`acme/${username}`)}?secret=${first.body.secret}&issuer=Berth`,
    )
    const second = await begin()
    expect(second.body.secret).not.toBe(first.body.secret)
    expect((await logIn(username)).status).toBe(200)
    const wrong = await confirm(codeOf(first.body.secret))
    expect([...codeIn(wrong), wrong.body.fields?.[0]?.path]).toEqual([400, 'invalid_input', 'code'])
    expect((await confirm(codeOf(second.body.secret))).status).toBe(200)
    expect(codeIn(await begin())).toEqual([409, 'wrong_state'])
    expect(codeIn(await confirm(codeOf(second.body.secret, 1)))).toEqual([409, 'wrong_state'])
    expect(codeIn(await logIn(username))).toEqual([401, 'second_factor_required'])
  })

  test('a wrong password sets up nothing and counts as a failed login', async () => {
    const { username, login } = await aUser()
    const answer = await login.rest('POST', '/auth/second-factor', { body: { password: 'wrong' } })
    expect([...codeIn(answer), answer.body.fields[0].path]).toEqual([
      400,
      'invalid_input',
      'password',
    ])
    expect(await failuresOf(`acme/${username}`)).toBe(1)
  })

  test('an API key changes no second factor', async () => {
    const { login } = await aUser()
    const key = (await login.rest('POST', '/api-keys', { body: { name: 'ci' } })).body.secret
    const byKey = world.wire.client(key)
    for (const [at, body] of [
      ['', { password }],
      ['/confirm', { code: '000000' }],
      ['/disable', { password, code: '000000' }],
      ['/recovery-codes', { password, code: '000000' }],
    ] as const)
      expect(
        codeIn(await byKey.rest('POST', `/auth/second-factor${at}`, { body })),
        `at ${at}`,
      ).toEqual([403, 'forbidden'])
  })

  test('secret and recovery codes are in no row and no log line', async () => {
    const { login } = await aUser()
    const headers = () => ({ 'idempotency-key': unique('k') })
    const begun = await login.rest('POST', '/auth/second-factor', {
      body: { password },
      headers: headers(),
    })
    const { secret } = begun.body
    const code = codeOf(secret)
    const confirmed = await login.rest('POST', '/auth/second-factor/confirm', {
      body: { code },
      headers: headers(),
    })
    const recoveryCodes: string[] = confirmed.body.recovery_codes
    const stored =
      [...(await everyRow(world.database)).values()].join('\n') + world.logged.join('\n')
    const texts = [
      secret,
      ...recoveryCodes,
      ...recoveryCodes.map((each) => each.replaceAll('-', '')),
    ]
    // Rows show binary columns as hexadecimal digits.
    const secrets = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')])
    expect(secrets.filter((each) => stored.includes(each))).toEqual([])
    expect(begun.headers['cache-control']).toBe('no-store')
  })

  test('a repeated request with the same idempotency key gets the same recovery codes', async () => {
    const { login } = await aUser()
    const { secret } = (await login.rest('POST', '/auth/second-factor', { body: { password } }))
      .body
    const request = {
      body: { code: codeOf(secret) },
      headers: { 'idempotency-key': unique('k') },
    }
    const first = await login.rest('POST', '/auth/second-factor/confirm', request)
    const again = await login.rest('POST', '/auth/second-factor/confirm', request)
    expect([first.status, again.text]).toEqual([200, first.text])
  })
})

describe('changing a second factor', () => {
  type Proof = { password?: string; code: string }
  const change = (client: Client, at: 'disable' | 'recovery-codes', proof: Proof) =>
    client.rest('POST', `/auth/second-factor/${at}`, { body: { password, ...proof } })

  test('removing it needs password and code, and the next login needs none', async () => {
    const { username, login, secret } = await anEnrolledUser()
    expect(
      (await change(login, 'disable', { password: 'wrong', code: codeOf(secret, 1) })).status,
    ).toBe(400)
    const wrong = await change(login, 'disable', { code: '000000' })
    expect([...codeIn(wrong), wrong.body.fields[0].path]).toEqual([400, 'invalid_input', 'code'])
    expect(wrong.text).toContain('send a recovery code that you have not used')
    expect(await failuresOf(`acme/${username}`)).toBe(2)
    expect((await change(login, 'disable', { code: codeOf(secret, 1) })).status).toBe(204)
    expect(await failuresOf(`acme/${username}`)).toBe(0)
    expect((await logIn(username)).status).toBe(200)
    const again = await change(login, 'disable', { code: codeOf(secret) })
    expect(codeIn(again)).toEqual([409, 'wrong_state'])
    expect(again.body.error).toContain('there is none to remove')
    const renewed = await change(login, 'recovery-codes', { code: codeOf(secret) })
    expect([renewed.status, renewed.body.error]).toEqual([
      409,
      expect.stringContaining('set one up first'),
    ])
  })

  test('a recovery code also removes it', async () => {
    const { username, login, recoveryCodes } = await anEnrolledUser()
    expect((await change(login, 'disable', { code: recoveryCodes[3] ?? '' })).status).toBe(204)
    expect((await logIn(username)).status).toBe(200)
  })

  test('new recovery codes replace the earlier ones', async () => {
    const { username, login, secret, recoveryCodes } = await anEnrolledUser()
    const renewed = await change(login, 'recovery-codes', { code: codeOf(secret, 1) })
    expect(renewed.body.recovery_codes).toHaveLength(10)
    expect(codeIn(await logIn(username, recoveryCodes[0]))).toEqual([401, 'second_factor_invalid'])
    expect((await logIn(username, renewed.body.recovery_codes[0])).status).toBe(200)
  })

  test('a right password between wrong codes resets no count', async () => {
    const { username, login } = await anEnrolledUser()
    await change(login, 'disable', { code: '000000' })
    const next = { current_password: password, new_password: 'short' }
    await login.rest('POST', '/auth/password', { body: next })
    expect(await failuresOf(`acme/${username}`)).toBe(1)
  })
})

describe('resetting the second factor of a user', () => {
  const reset = (client: Client, id: string) =>
    client.rest('POST', `/users/${id}/reset-second-factor`)
  const idOf = async (client: Client): Promise<string> =>
    (await client.rest('GET', '/auth/me')).body.id

  test('an admin does it, which ends the logins of the user and leaves an audit row', async () => {
    const { id, username, login } = await anEnrolledUser()
    const shown = 'query ($id: ID!) { user(id: $id) { hasSecondFactor } }'
    expect((await tenant.admin.ask(shown, { id })).user.hasSecondFactor).toBe(true)
    expect((await reset(tenant.admin, id)).status).toBe(200)
    expect((await tenant.admin.ask(shown, { id })).user.hasSecondFactor).toBe(false)
    await waitFor(async () => (await login.rest('GET', '/auth/me')).status === 401, {
      what: 'the login to end',
    })
    expect((await logIn(username)).status).toBe(200)
    const { auditEvents } = await tenant.admin.ask(
      '{ auditEvents(first: 1, filter: { operation: "resetSecondFactor" }) { nodes { targetName outcome } } }',
    )
    expect(auditEvents.nodes).toEqual([{ targetName: username, outcome: 'allowed' }])
    expect(codeIn(await reset(tenant.admin, id))).toEqual([409, 'wrong_state'])
  })

  test('root does it for a tenant that it names', async () => {
    const { id } = await anEnrolledUser()
    expect((await reset(world.root.with({ 'x-tenant-id': tenant.slug }), id)).status).toBe(200)
  })

  test('a user who holds less than the other, or lacks users:write, cannot reset it', async () => {
    const { role } = (
      await tenant.admin.rest('POST', '/roles', {
        body: { name: unique('role'), permissions: ['users:read', 'users:write'] },
      })
    ).body
    const helper = await aUser(tenant, role.name)
    const { id } = await anEnrolledUser(tenant, 'tenant.admin')
    expect(codeIn(await reset(helper.login, id))).toEqual([403, 'forbidden'])
    expect(codeIn(await reset(await tenant.as('operator'), id))).toEqual([403, 'forbidden'])
  })

  test('an admin cannot reset its own, that of root, or that of a user of another tenant', async () => {
    const { id, login } = await anEnrolledUser(tenant, 'tenant.admin')
    expect(codeIn(await reset(login, id))).toEqual([403, 'forbidden'])
    const rootId = await idOf(world.root)
    const ofRoot = await reset(world.root, rootId)
    expect([...codeIn(ofRoot), ofRoot.body.error]).toEqual([
      403,
      'forbidden',
      expect.stringContaining('reset-root-password'),
    ])
    const rival = await world.tenant(unique('rival'))
    expect(codeIn(await reset(rival.admin, id))).toEqual([404, 'not_found'])
  })
})

describe('the requirement of a tenant', () => {
  const require = (client: Client, required: boolean) =>
    client.rest('PATCH', '/second-factor', { body: { required } })
  const refusalOf = ({ code, body }: { code: string | null; body: Json }) => [
    code,
    body.errors?.[0]?.message,
  ]

  test('a user without a required second factor can only set it up', async () => {
    const strict = await world.tenant(unique('strict'))
    const user = await aUser(strict)
    const key = (await user.login.rest('POST', '/api-keys', { body: { name: 'ci' } })).body.secret
    expect((await require(strict.admin, true)).body).toEqual({ required: true })
    await waitFor(async () => (await user.login.rest('GET', '/vms')).status === 403, {
      what: 'the requirement to reach the login',
    })
    const later = await world.login(user.username, password)
    for (const refused of [
      await later.graphql('{ vms(first: 1) { totalCount } }'),
      await later.graphql('{ sessions(first: 1) { totalCount } }'),
      await later.graphql('mutation { createApiKey(input: { name: "k" }) { secret } }'),
      await later.graphql(
        `mutation { changePassword(input: { currentPassword: "${password}", newPassword: "new ${password}" }) { user { id } } }`,
      ),
    ])
      expect(refusalOf(refused)).toEqual([
        'forbidden',
        expect.stringMatching(/^You must have a second factor/),
      ])
    expect(codeIn(await later.rest('POST', '/events-ticket'))).toEqual([403, 'forbidden'])
    expect(codeIn(await later.rest('GET', '/events'))).toEqual([403, 'forbidden'])
    const me = await later.rest('GET', '/auth/me')
    expect([me.status, me.body.permissions]).toEqual([200, []])
    expect((await later.rest('GET', '/auth/second-factor')).body.is_required).toBe(true)
    expect((await world.wire.client(key).rest('GET', '/vms')).status).toBe(200)

    const { secret } = await enrol(later, password)
    expect((await later.rest('GET', '/vms')).status).toBe(200)
    const disabled = await later.rest('POST', '/auth/second-factor/disable', {
      body: { password, code: codeOf(secret, 1) },
    })
    expect(codeIn(disabled)).toEqual([403, 'forbidden'])
    await enrol(strict.admin, password)
    expect((await require(strict.admin, false)).body).toEqual({ required: false })
    await passStep()
    const removed = await later.rest('POST', '/auth/second-factor/disable', {
      body: { password, code: codeOf(secret, 1) },
    })
    expect(removed.status).toBe(204)
  })

  test('an operator cannot require a second factor of the tenant', async () => {
    expect(codeIn(await require(await tenant.as('operator'), true))).toEqual([403, 'forbidden'])
  })
})
