import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildOf } from '../../../server/rolldown.config.ts'
import { type Cluster, connectCluster } from '../../../server/src/cluster/kubevirt-cluster.ts'
import { type ClusterAddress, endpointSource } from '../../../server/src/engine/kube/connect.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { quietLog } from '../../support/cluster/gateway.ts'
import {
  answerJson,
  type SecureServer,
  secureServer,
} from '../../support/cluster/scripted-server.ts'

/*
 * The authentication of the gateway (F-15 of the reliability reference), and the sources of the
 * cluster's address.
 */
const folder = mkdtempSync(join(tmpdir(), 'berth-credentials-'))
const open: Cluster[] = []
let server: SecureServer
let goodToken = 'first'

beforeAll(async () => {
  server = await secureServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${goodToken}`)
      return answerJson(response, 401, { reason: 'Unauthorized' })
    return answerJson(response, 200, { metadata: { name: 'a', uid: 'u', resourceVersion: '1' } })
  })
  writeFileSync(join(folder, 'ca.crt'), server.ca)
})
afterEach(async () => {
  for (const cluster of open.splice(0)) await cluster.close()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

function connect(address: ClusterAddress): Cluster {
  const cluster = connectCluster(address, { clock: systemClock, log: quietLog })
  open.push(cluster)
  server.requests.length = 0
  return cluster
}

const read = (cluster: Cluster) => cluster.reader.getNamespace({ name: 'a' })
const rotate = (token: string): void => writeFileSync(join(folder, 'token'), `${token}\n`)
const tokens = () => server.requests.map(({ authorization }) => authorization)
const inCluster = (): ClusterAddress => ({ kind: 'inCluster', mounted: folder, url: server.url })

test('a gateway inside the cluster uses the mounted token and authority', async () => {
  rotate((goodToken = 'mounted'))
  expect(await read(connect(inCluster()))).toMatchObject({ name: 'a' })
})

test('F-15: a rotated token is read again and the call is repeated once, unnoticed by the caller', async () => {
  rotate((goodToken = 'old'))
  const cluster = connect(inCluster())
  await read(cluster)
  rotate((goodToken = 'new'))
  expect(await read(cluster)).toMatchObject({ name: 'a' })
  expect(tokens()).toEqual(['Bearer old', 'Bearer old', 'Bearer new'])
})

test('F-15: a call without a better token is tried twice and no more', async () => {
  rotate('bad')
  const cluster = connect(inCluster())
  await expect(read(cluster)).rejects.toMatchObject({ trouble: 'unauthenticated' })
  expect(tokens()).toEqual(['Bearer bad', 'Bearer bad'])
})

test('F-15: a missing token file makes the cluster unreachable until the file is back', async () => {
  rotate((goodToken = 'back'))
  const cluster = connect(inCluster())
  rmSync(join(folder, 'token'))
  await expect(read(cluster)).rejects.toMatchObject({ trouble: 'unreachable' })
  rotate(goodToken)
  expect(await read(cluster)).toMatchObject({ name: 'a' })
})

function kubeconfig(user: object): string {
  const path = join(folder, 'config')
  const cluster = {
    server: server.url,
    'certificate-authority-data': Buffer.from(server.ca).toString('base64'),
  }
  const elsewhere = { server: 'https://elsewhere.invalid' }
  const contexts = [
    { name: 'here', context: { cluster: 'here', user: 'me' } },
    { name: 'there', context: { cluster: 'there', user: 'me' } },
  ]
  const clusters = [
    { name: 'here', cluster },
    { name: 'there', cluster: elsewhere },
  ]
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters,
    users: [{ name: 'me', user }],
    contexts,
    'current-context': 'there',
  }
  writeFileSync(path, JSON.stringify(config))
  return path
}

test('a kubeconfig is read with the requested context, and its token is sent', async () => {
  goodToken = 'written-down'
  const cluster = connect({
    kind: 'kubeconfig',
    kubeconfig: kubeconfig({ token: goodToken }),
    context: 'here',
  })
  expect(await read(cluster)).toMatchObject({ name: 'a' })
})

test('F-15: a kubeconfig whose token comes from a program runs that program again', async () => {
  const printed =
    "{ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } }"
  const script = `const token = require('node:fs').readFileSync(process.argv[1], 'utf8').trim(); console.log(JSON.stringify(${printed}))`
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: ['-e', script, join(folder, 'token')],
  }
  rotate((goodToken = 'printed'))
  const cluster = connect({ kind: 'kubeconfig', kubeconfig: kubeconfig({ exec }), context: 'here' })
  expect(await read(cluster)).toMatchObject({ name: 'a' })
  rotate((goodToken = 'printed-later'))
  expect(await read(cluster)).toMatchObject({ name: 'a' })
})

test('the build, which bundles a part of the Kubernetes client, reads each form of kubeconfig like the sources', async () => {
  const built = await builtEndpointSource()
  const credential =
    '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"printed"}}'
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: ['-e', `console.log('${credential}')`],
  }
  const text = (value: string) => Buffer.from(value).toString('base64')
  const users = [
    { token: 'written-down' },
    { tokenFile: join(folder, 'ca.crt') },
    { 'client-certificate-data': text('certificate'), 'client-key-data': text('key') },
    { username: 'me', password: 'secret' },
    { exec },
  ]
  for (const user of users) {
    const address = { kind: 'kubeconfig', kubeconfig: kubeconfig(user), context: 'here' } as const
    const endpoint = await built(address, systemClock).current()
    expect(endpoint).toEqual(await endpointSource(address, systemClock).current())
    expect(endpoint.url).toBe(server.url)
  }
})

/** Builds the module that reads kubeconfigs, with its packages, as for production. */
async function builtEndpointSource(): Promise<typeof endpointSource> {
  const folderOfServer = join(import.meta.dirname, '..', '..', '..', 'server')
  const { build } = (await import(
    createRequire(join(folderOfServer, 'package.json')).resolve('rolldown')
  )) as { build: (options: unknown) => Promise<unknown> }
  const input = { connect: join(folderOfServer, 'src', 'engine', 'kube', 'connect.ts') }
  await build({ ...buildOf({ input, dir: join(folder, 'built') }), cwd: folderOfServer })
  const built = (await import(join(folder, 'built', 'connect.js'))) as {
    endpointSource: typeof endpointSource
  }
  return built.endpointSource
}
