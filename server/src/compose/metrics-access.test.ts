import { expect, test } from 'vitest'
import { loadConfig } from '../runtime/config/config.ts'
import { Secret } from '../runtime/config/secret.ts'
import { apiMetricsAccess } from './metrics-access.ts'

const base = loadConfig({ cwd: '/', env: {} })
const published = { ...base, server: { ...base.server, publicUrl: 'https://cloud.example.com' } }
const metricsToken = new Secret('the scraper of the metrics')

test.each([
  { config: base, access: 'all', because: 'only this machine reaches it' },
  { config: published, access: 'none', because: 'other machines reach it' },
  {
    config: { ...published, security: { ...base.security, metricsToken } },
    access: metricsToken,
    because: 'a token is set',
  },
])('the API shows its metrics to $access when $because', ({ config, access }) => {
  expect(apiMetricsAccess(config)).toBe(access)
})
