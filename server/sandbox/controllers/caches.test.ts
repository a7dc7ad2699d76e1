import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { registry } from '../kinds/registry.ts'
import { Store } from '../apiserver/storage/store.ts'
import { type KubeObject } from '../objects/types.ts'
import { clock } from '../clock.ts'
import { Caches } from './caches.ts'

const configMaps = registry.named('configmaps')
const mapIn = (namespace: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace },
})

test('each namespace of an informer cache shows the old objects until its watch delivers the change', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-caches-'))
  const store = new Store({ folder })
  const caches = new Caches({ store, pace: { msOf: () => 5_000, setFactor: () => undefined } })
  const listedCounts = (): number[] =>
    ['ns1', 'ns2'].map((namespace) => caches.list('configmaps', namespace).length)

  const stored = store.put(configMaps, mapIn('ns1'))
  expect(listedCounts()).toEqual([0, 0])
  clock.advance(6_000)
  store.put(configMaps, mapIn('ns2'))
  expect(listedCounts()).toEqual([1, 0])
  store.remove(configMaps, stored)
  expect(listedCounts()).toEqual([1, 0])
  expect(caches.lagMs(['configmaps'], 'ns1')).toBeGreaterThan(0)
  expect(caches.lagMs(['configmaps'], 'ns1', store.version)).toBe(0)
  expect(caches.lagMs(['secrets'], 'ns1')).toBe(0)
  clock.advance(6_000)
  expect(listedCounts()).toEqual([0, 1])

  await store.close()
  rmSync(folder, { recursive: true, force: true })
})
