import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { signingSecret } from './signing-secret.ts'

test('a signing secret is created once, and only its owner can read it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const first = signingSecret(null, join(folder, 'data'))
  expect(first.reveal().length).toBeGreaterThanOrEqual(32)
  expect(signingSecret(null, join(folder, 'data')).reveal()).toBe(first.reveal())
  expect(statSync(join(folder, 'data', 'secret')).mode & 0o777).toBe(0o600)
})
