import { constants, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'

/* Tokens for uploads into a volume. */

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 0.1 })
})
afterAll(() => sandbox.stop())

const path = '/apis/upload.cdi.kubevirt.io/v1beta1/namespaces/default/uploadtokenrequests'

async function tokenFor(pvcName: string): Promise<string> {
  const { text } = await sandbox.call(path, {
    method: 'POST',
    body: { metadata: { name: 'u' }, spec: { pvcName } },
  })
  return (JSON.parse(text) as { status: { token: string } }).status.token
}

test('an upload token is for one claim and expires after five minutes', async () => {
  const [, payload = ''] = (await tokenFor('disk')).split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    exp: number
    iat: number
  }
  expect(claims).toMatchObject({
    iss: 'cdi-apiserver',
    operation: 'Upload',
    name: 'disk',
    namespace: 'default',
    resource: { group: '', version: 'v1', resource: 'persistentvolumeclaims' },
  })
  expect(claims.exp - claims.iat).toBe(300)
})

test('an upload token has a signature with the key of the cluster', async () => {
  const [head = '', payload = '', signature = ''] = (await tokenFor('disk')).split('.')
  const { privateKey } = JSON.parse(readFileSync(join(sandbox.folder, 'uploads.json'), 'utf8')) as {
    privateKey: string
  }
  const key = {
    key: createPublicKey(privateKey),
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: 32,
  }
  expect(
    verify('sha256', Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url')),
  ).toBe(true)
})

test('an upload token request cannot be read', async () => {
  expect([(await sandbox.call(path)).status, (await sandbox.call(`${path}/u`)).status]).toEqual([
    405, 405,
  ])
})
