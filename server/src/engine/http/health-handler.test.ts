import { expect, test } from 'vitest'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Secret } from '../../runtime/config/secret.ts'
import { type MetricsAccess, healthHandler } from './health-handler.ts'
import { requestContextOf } from './http.ts'

const health = {
  notReady: () => Promise.resolve(null),
  metrics: () => Promise.resolve({ type: 'text/plain', text: 'berth_up 1\n' }),
}
const token = new Secret('the scraper of the metrics')

async function statusFor(access: MetricsAccess, path: string, authorization?: string) {
  const request = Object.assign(new IncomingMessage(new Socket()), { url: path, method: 'GET' })
  if (authorization) request.headers.authorization = authorization
  return (await healthHandler(health, access)(requestContextOf(request, 0)))?.status
}

test.each([
  { access: 'all', sent: undefined, status: 200 },
  { access: 'none', sent: `Bearer ${token.reveal()}`, status: 403 },
  { access: token, sent: undefined, status: 401 },
  { access: token, sent: token.reveal(), status: 401 },
  { access: token, sent: `Bearer ${token.reveal()}`, status: 200 },
] as const)('metrics for $access answer $sent with $status', async ({ access, sent, status }) => {
  expect(await statusFor(access, '/metrics', sent)).toBe(status)
  expect(await statusFor(access, '/readyz', sent), 'a probe needs no token').toBe(200)
})
