import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { newSshKeyPair } from './ssh-key-pair.ts'

const frame = '-----BEGIN OPENSSH PRIVATE KEY-----'

/** Reads the key with ssh-keygen. Null when ssh-keygen is not installed. */
function sshKeygen(pem: string): { publicKey: string; fingerprint: string } | null {
  const folder = mkdtempSync(join(tmpdir(), 'berth-pair-'))
  const file = join(folder, 'key')
  const run = (...args: string[]): string =>
    execFileSync('ssh-keygen', [...args, '-f', file], { encoding: 'utf8' }).trim()
  try {
    writeFileSync(file, pem, { mode: 0o600 })
    return { publicKey: run('-y'), fingerprint: run('-l') }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('ssh-keygen reads a new private key with a comment of any length', ({ skip }) => {
  for (const comment of ['a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef', 'abcdefg', 'abcdefgh']) {
    const { publicKey, privateKeyPem } = newSshKeyPair(comment)
    const parsed = sshKeygen(privateKeyPem.reveal())
    if (!parsed) return skip('ssh-keygen is not installed here')
    expect(parsed.publicKey).toBe(`${publicKey.line} ${comment}`)
    expect(parsed.fingerprint).toMatch(/^256 SHA256:\S{43} .*\(ED25519\)$/)
  }
})

test('a new private key has the format of OpenSSH, is unique, and does not print itself', () => {
  const [one, other] = [newSshKeyPair('one'), newSshKeyPair('one')]
  const pem = one.privateKeyPem.reveal()
  expect(
    pem.startsWith(`${frame}\n`) && pem.endsWith('\n-----END OPENSSH PRIVATE KEY-----\n'),
  ).toBe(true)
  expect(Math.max(...pem.split('\n').map((line) => line.length))).toBe(70)
  expect(other.privateKeyPem.reveal()).not.toBe(pem)
  expect(other.publicKey.line).not.toBe(one.publicKey.line)
  for (const printed of [inspect(one), JSON.stringify(one), String(one.privateKeyPem)])
    expect(printed).not.toContain(frame)
})
