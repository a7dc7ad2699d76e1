import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { type Cluster, connectCluster } from '../../../server/src/cluster/kubevirt-cluster.ts'
import { endpointSource } from '../../../server/src/engine/kube/connect.ts'
import { createTokenBucket } from '../../../server/src/engine/kube/token-bucket.ts'
import { createTransport, type Transport } from '../../../server/src/engine/kube/transport.ts'

export const quietLog = createLog('silent')

export interface Door {
  url: string
  ca?: string | undefined
  token?: string
}

const folder = mkdtempSync(join(tmpdir(), 'berth-kubeconfig-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** A kubeconfig of the form that the sandbox writes, for any server. */
export function kubeconfigFor({ url, ca = '', token = 'token' }: Door): string {
  const path = join(folder, randomUUID())
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') }
  writeFileSync(path, JSON.stringify({ clusters: [{ cluster }], users: [{ user: { token } }] }))
  return path
}

export const gatewayTo = (door: Door, limits: { timeoutMs?: number } = {}): Cluster =>
  connectCluster(
    { kind: 'sandbox', kubeconfig: kubeconfigFor(door) },
    { clock: systemClock, log: quietLog, ...limits },
  )

/** The transport alone, with a bucket that never makes a test wait. */
export function transportTo(door: Door, timeoutMs = 5000): Transport {
  const source = endpointSource({ kind: 'sandbox', kubeconfig: kubeconfigFor(door) }, systemClock)
  const bucket = createTokenBucket({ perSecond: 10_000, burst: 10_000, clock: systemClock })
  return createTransport({ source, bucket, clock: systemClock, timeoutMs })
}
