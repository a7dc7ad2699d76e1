import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser } from '../../../server/src/usecases/identity/create-user.ts'
import { updateUser } from '../../../server/src/usecases/identity/update-user.ts'
import {
  type Answered,
  type IdentityServer,
  type IdentityWorld,
  adminPassword,
  anIdentityWorld,
  rootPassword,
} from '../../support/world/identity-world.ts'

type Tenant = Awaited<ReturnType<IdentityWorld['aTenant']>>

let world: IdentityWorld
let server: IdentityServer
let acme: Tenant
let globex: Tenant

beforeAll(async () => {
  world = await anIdentityWorld()
  server = await world.aServer()
  acme = await world.aTenant()
  globex = await world.aTenant()
})
afterAll(() => world[Symbol.asyncDispose]())

const aName = (): string => `anna-${randomUUID().slice(0, 8)}`
const add = (tenant: Tenant, username: string, password = `password in ${tenant.slug}`) =>
  world.as(tenant.admin, (op) => createUser(op, { username, password })).then(({ user }) => user)
const logIn = (username: string, password: string, address = '203.0.113.1'): Promise<Answered> =>
  server.call('POST', '/auth/session', {
    body: { username, password },
    headers: { 'x-forwarded-for': address },
  })
/** Returns what a client sees of an answer: the user, or the refusal. */
const outcome = ({ status, body }: Answered): unknown =>
  status === 200 ? (body['user'] as { tenantId: string }).tenantId : [status, body['code']]
const wrong = [401, 'invalid_credentials']
/** Lets a test fail more often than the throttle allows. */
const forgetAttempts = () => world.database.sql('truncate login_throttle')

test('users of two tenants with one name log in as tenant/name, each with its own password', async () => {
  const name = aName()
  await add(acme, name)
  await add(globex, name)
  for (const [tenant, other] of [
    [acme, globex],
    [globex, acme],
  ] as const) {
    const password = `password in ${tenant.slug}`
    expect(outcome(await logIn(`${tenant.slug}/${name}`, password))).toBe(tenant.id)
    const typed = ` ${tenant.slug.toUpperCase()}/${name.toUpperCase()} `
    expect(outcome(await logIn(typed, password))).toBe(tenant.id)
    expect(outcome(await logIn(`${other.slug}/${name}`, password))).toEqual(wrong)
  }
  expect(outcome(await logIn(`nowhere/${name}`, `password in ${acme.slug}`))).toEqual(wrong)
})

test('the name alone logs in the user with the password, also when a later user has the name', async () => {
  const name = aName()
  await add(acme, name)
  expect(outcome(await logIn(name, `password in ${acme.slug}`))).toBe(acme.id)
  await add(globex, name)
  expect(outcome(await logIn(name, `password in ${acme.slug}`))).toBe(acme.id)
  expect(outcome(await logIn(name, `password in ${globex.slug}`))).toBe(globex.id)
})

test('users with one name and one password must say their tenant', async () => {
  const name = aName()
  const password = 'the same password'
  await add(acme, name, password)
  const later = await add(globex, name, password)
  const ambiguous = await logIn(name, password)
  const guessed = await logIn(name, 'not the password')
  expect([outcome(ambiguous), ambiguous.body['detail']]).toEqual([wrong, guessed.body['detail']])
  expect(outcome(await logIn(`${globex.slug}/${name}`, password))).toBe(globex.id)
  await world.as(globex.admin, (op) => updateUser(op, { id: later.id, state: 'disabled' }))
  expect(outcome(await logIn(name, password))).toBe(acme.id)
})

test('later users of many tenants do not take the name alone from the first one', async () => {
  const name = aName()
  await add(acme, name)
  for (let turn = 0; turn < 4; turn++) await add(await world.aTenant(), name)
  const last = await world.aTenant()
  await add(last, name)
  expect(outcome(await logIn(name, `password in ${acme.slug}`))).toBe(acme.id)
  expect(outcome(await logIn(name, `password in ${last.slug}`))).toEqual(wrong)
  expect(outcome(await logIn(`${last.slug}/${name}`, `password in ${last.slug}`))).toBe(last.id)
})

test('a new tenant gets its administrator when another tenant has a user with that name', async () => {
  const slug = `t-${randomUUID().slice(0, 8)}`
  await add(acme, `${slug}-admin`)
  const made = await world.aTenant(slug)
  expect(outcome(await logIn(`${slug}-admin`, adminPassword))).toBe(made.id)
})

test('no tenant can have a user with the name of root', async () => {
  await expect(add(acme, ' Root ')).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(
    world.database.sql(`update user_account set username = 'ROOT' where username <> 'root'`),
  ).rejects.toThrow(/user_name_of_root/)
})

test('root logs in with its name alone and with that of its tenant', async () => {
  expect((await logIn('root', rootPassword)).status).toBe(200)
  expect((await logIn('default/root', rootPassword)).status).toBe(200)
})

test('the success of one user does not reset the count of guesses at another with its name', async () => {
  const name = aName()
  await add(acme, name)
  await add(globex, name)
  await forgetAttempts()
  for (let turn = 0; turn < 12; turn++) {
    // The guesser's own login in between.
    expect(outcome(await logIn(name, `password in ${globex.slug}`))).toBe(globex.id)
    await world.database.sql(
      `update login_throttle set blocked_until = now() + interval '1 minute' where blocked_until is not null`,
    )
  }
  expect(outcome(await logIn(name, `password in ${acme.slug}`))).toEqual(wrong)
  expect(outcome(await logIn(`${acme.slug}/${name}`, `password in ${acme.slug}`))).toBe(acme.id)
})

test.each(['the name alone', 'tenant/name'])(
  'waits do not tell whether a user exists: %s',
  async (form) => {
    const known = aName()
    await add(acme, known)
    const typed = (name: string) => (form === 'tenant/name' ? `${acme.slug}/${name}` : name)
    const other = (name: string) => (form === 'tenant/name' ? name : `${acme.slug}/${name}`)
    const series = async (name: string) => {
      const answers: unknown[] = []
      await forgetAttempts()
      for (let turn = 0; turn < 12; turn++) {
        answers.push(outcome(await logIn(typed(name), 'wrong')))
        await world.database.sql(
          `update login_throttle set blocked_until = now() + interval '1 minute' where blocked_until is not null`,
        )
      }
      return [...answers, outcome(await logIn(other(name), 'wrong'))]
    }
    const [found, unknown] = [await series(known), await series(aName())]
    expect(found).toEqual(unknown)
    expect(found.slice(-2)).toEqual([[429, 'too_many_requests'], wrong])
  },
)

test('a refused login with the name alone is recorded in the tenant of its oldest user only', async () => {
  const name = aName()
  await add(acme, name)
  await add(globex, name)
  await logIn(name, 'wrong')
  await logIn(`${globex.slug}/${name}`, 'wrong')
  const rows = await world.database.sql(
    `select tenant_id as tenant from audit_event where operation = 'login' and outcome = 'refused' and actor_name = '${name}' order by at`,
  )
  expect(rows).toEqual([{ tenant: acme.id }, { tenant: globex.id }])
})

test('a login with the name alone takes the same time for one user, several and none', async () => {
  const [single, shared] = [aName(), aName()]
  await add(acme, single)
  for (const tenant of [acme, globex]) await add(tenant, shared)
  const times = new Map<string, number[]>()
  for (let turn = 0; turn < 15; turn++)
    for (const name of [single, shared, 'unknown']) {
      await forgetAttempts()
      const started = performance.now()
      await logIn(name, 'wrong password')
      times.set(name, [...(times.get(name) ?? []), performance.now() - started])
    }
  const [one = 0, several = 0, none = 0] = [...times.values()].map(
    (each) => each.toSorted((a, b) => a - b)[7],
  )
  for (const ratio of [one / none, several / none]) {
    expect(ratio).toBeGreaterThan(0.6)
    expect(ratio).toBeLessThan(1.6)
  }
})
