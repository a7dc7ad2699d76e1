import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../../server/src/runtime/clock.ts'
import { type Log, createLog } from '../../../server/src/runtime/log.ts'
import { type Cluster, connectCluster } from '../../../server/src/cluster/kubevirt-cluster.ts'
import { endpointSource } from '../../../server/src/engine/kube/connect.ts'
import { createTokenBucket } from '../../../server/src/engine/kube/token-bucket.ts'
import { createTransport, type Transport } from '../../../server/src/engine/kube/transport.ts'

export const quietLog = createLog('silent')

/** The address and the credentials of a Kubernetes API. */
export interface Endpoint {
  url: string
  ca?: string | undefined
  token?: string
}

const folder = mkdtempSync(join(tmpdir(), 'berth-kubeconfig-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Writes a kubeconfig for any server and token. */
export function kubeconfigFor({ url, ca = '', token = 'token' }: Endpoint): string {
  const path = join(folder, randomUUID())
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') }
  const [name, user] = ['test', 'test']
  const config = {
    clusters: [{ name, cluster }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name, context: { cluster: name, user } }],
    'current-context': name,
  }
  writeFileSync(path, JSON.stringify(config))
  return path
}

/** Opens Berth's cluster gateway to a server, which may be scripted. */
export const gatewayTo = (
  endpoint: Endpoint,
  options: { timeoutMs?: number; log?: Log; clock?: Clock } = {},
): Cluster =>
  connectCluster(
    { kind: 'sandbox', kubeconfig: kubeconfigFor(endpoint) },
    // The gateway offers calls that Berth itself does not make.
    { clock: systemClock, log: quietLog, requireDeclared: () => undefined, ...options },
  )

/** Opens only the transport, with a rate limit that never delays a test. */
export function transportTo(endpoint: Endpoint, timeoutMs = 5000): Transport {
  const source = endpointSource(
    { kind: 'sandbox', kubeconfig: kubeconfigFor(endpoint) },
    systemClock,
  )
  const bucket = createTokenBucket({ perSecond: 10_000, burst: 10_000, clock: systemClock })
  return createTransport({ source, bucket, clock: systemClock, timeoutMs })
}
