import { expect, test } from 'vitest'
import { configWarnings } from './print.ts'
import { problemsBetweenKeys } from './rules.ts'
import { loadConfig } from './config.ts'

const keys = {
  enabled: true,
  bridge: { name: 'br-pub' },
  cidr: '203.0.113.0/24',
  ipPool: '203.0.113.10',
  uplink: 'eth1',
}
const problems = (uplink: string): string[] =>
  problemsBetweenKeys({ platform: { networking: { public: { ...keys, uplink } } } })

test('a bridge is made over another interface than itself', () => {
  expect(problems('eth1')).toEqual([])
  expect(problems('br-pub')).toEqual([
    'platform.networking.public.uplink must be another interface than platform.networking.public.bridge.name, which is made over it',
  ])
})

test('who names an uplink is told what to do where nobody makes the bridge', () => {
  const config = loadConfig({ cwd: '/', env: {} })
  Object.assign(config.platform.networking.public, { ...keys, dns: ['1.1.1.1'], ipPool: [] })
  expect(configWarnings(config)).toEqual([
    'platform.networking.public.uplink: where the cluster has no NMState, make the bridge br-pub on every node yourself, with eth1 in it',
  ])
})
