import { beforeAll, expect, test } from 'vitest'
import { aWorld, type World, rootPassword, unique } from '../../support/world/world.ts'
import { everyRow } from '../../support/world/database-state.ts'

let world: World
beforeAll(async () => (world = await aWorld()))

test('passwords, tokens and keys never occur in logs, rows, refusals or metrics', async () => {
  const password = `${unique('canary')}-password`
  const wrong = `${unique('canary')}-wrong`
  const slug = unique('t')
  await world.root.rest('POST', '/tenants', { body: { slug, admin_password: password } })
  const admin = await world.login(`${slug}-admin`, password)
  const { secret } = (
    await admin.rest('POST', '/api-keys', {
      body: { name: 'ci' },
      headers: { 'idempotency-key': unique('k') },
    })
  ).body
  const opened = await world.wire.send('POST', '/auth/session', {
    body: { username: `${slug}-admin`, password },
  })
  const cookie = String(opened.headers['set-cookie']).split(';')[0]!.split('=')[1]!
  const secrets = {
    password,
    wrong,
    root: rootPassword,
    token: admin.token,
    access: opened.body.accessToken,
    cookie,
    key: secret,
    keyEnd: secret.slice(-48),
  }
  expect(Object.values(secrets).every((text) => typeof text === 'string' && text.length > 10)).toBe(
    true,
  )

  const from = world.wire.answers.length
  const badHeaders = {
    authorization: `Bearer ${secret}x`,
    'x-api-key': secret,
    cookie: `berth-refresh=${cookie}x`,
    'x-berth-session': '1',
  }
  await world.anonymous.rest('POST', '/auth/login', {
    body: { username: `${slug}-admin`, password: wrong },
  })
  await world.anonymous.rest('POST', '/auth/login', {
    body: { username: wrong, password: { password: wrong } },
  })
  await world.anonymous.rest('POST', '/auth/login', {
    body: `{"username":"a","password":"${wrong}"`,
  })
  await world.anonymous.rest('GET', `/roles?token=${admin.token}`)
  await world.wire.send('GET', '/api/v1/roles', { headers: badHeaders })
  await world.wire.send('POST', '/auth/session/refresh', { headers: badHeaders })
  await admin.graphql(
    `mutation { createUser(input: { username: "x y", password: "${password}" }) { user { id } } }`,
  )
  await admin.graphql(
    `mutation { createUser(input: { username: 1, password: "${password}" }) { nothing } }`,
  )
  await admin.graphql(
    'mutation ($i: ChangePasswordInput!) { changePassword(input: $i) { user { id } } }',
    {
      i: { currentPassword: wrong, newPassword: password },
    },
  )
  await admin.graphql(
    'mutation ($i: ChangePasswordInput!) { changePassword(input: $i) { user { id } } }',
    {
      i: { currentPassword: [wrong], newPassword: password },
    },
  )
  await admin.rest('POST', '/users', { body: { username: password, password } })
  await world.wire.send('GET', '/metrics')

  const outputs = {
    logs: world.logged.join('\n'),
    rows: [...(await everyRow(world.database)).values()].join('\n'),
    answers: world.wire.answers.slice(from).join('\n'),
  }
  expect(outputs.answers).toContain('berth_http_request_seconds')
  expect(world.logged.length).toBeGreaterThan(0)
  const leaks = Object.entries(outputs).flatMap(([output, text]) =>
    Object.entries(secrets).flatMap(([name, value]) =>
      text.includes(value)
        ? [
            `${name} in ${output}: …${text.slice(Math.max(0, text.indexOf(value) - 150), text.indexOf(value))}`,
          ]
        : [],
    ),
  )
  // Refusals name the invalid part of a document but never quote these values.
  expect(leaks).toEqual([])
})

test('a bug reveals nothing to the client and is logged in full under the same request id', async () => {
  const { tenant } = (
    await world.root.rest('POST', '/tenants', {
      body: { slug: unique('bug'), admin_password: 'long enough' },
    })
  ).body
  await world.ended('create_tenant', tenant.id)
  await world.database.sql('alter table role rename column description to gone')
  try {
    const answer = await world.root.rest('GET', '/roles')
    expect([answer.status, answer.body.code]).toEqual([500, 'internal'])
    expect(answer.text).not.toMatch(/description|select |postgres|stack|\.ts\b/i)
    expect(
      world.logged.some(
        (line) => line.includes(answer.body.request_id) && line.includes('description'),
      ),
    ).toBe(true)
    const graph = await world.root.graphql('{ roles { nodes { description } } }')
    expect(graph.code).toBe('internal')
    expect(graph.text).not.toMatch(/description|select |postgres|stack|\.ts\b/i)
  } finally {
    await world.database.sql('alter table role rename column gone to description')
  }
})
