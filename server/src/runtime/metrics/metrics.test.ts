import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('the text contains counters, gauges and histograms', async () => {
  const metrics = createMetrics({ withProcess: false })
  metrics.counter('berth_requests_total', 'Requests.', ['code']).add({ code: 200 })
  metrics.gauge('berth_connections', 'Open connections.', () => Promise.resolve(7))
  metrics.histogram('berth_request_seconds', 'Time.', { bucketsSeconds: [0.1, 1] }).observe(0.5)
  const text = await metrics.text()
  expect(text).toContain('berth_requests_total{code="200"} 1')
  expect(text).toContain('berth_connections 7')
  expect(text).toContain('berth_request_seconds_bucket{le="1"} 1')
})

test('two registries count separately', async () => {
  const [one, two] = [createMetrics({ withProcess: false }), createMetrics({ withProcess: false })]
  one.counter('berth_things_total', 'Things.').add()
  expect(await two.text()).not.toContain('berth_things_total')
})

test('the text describes the process', async () => {
  expect(await createMetrics().text()).toContain('process_resident_memory_bytes')
})
