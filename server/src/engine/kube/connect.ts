import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock } from '../../runtime/clock.ts'
import { type Endpoint, type EndpointSource, cachedEndpoint } from './endpoint.ts'

export type ClusterAddress =
  | { kind: 'sandbox'; kubeconfig: string }
  | { kind: 'kubeconfig'; kubeconfig: string | null; context: string | null }
  /** The folder and the URL are the same in every cluster; only tests override them. */
  | { kind: 'inCluster'; mounted?: string; url?: string }

/**
 * ServiceAccount tokens live about an hour and are rewritten well before they expire. A token that
 * was read a minute ago is always valid.
 */
const maxAgeMs = 60_000

/**
 * Returns where the API server is and how to log in there: for the sandbox, a kubeconfig, or a pod
 * inside the cluster.
 */
export function endpointSource(
  address: ClusterAddress,
  clock: Pick<Clock, 'elapsedMs'>,
): EndpointSource {
  const limits = { maxAgeMs, elapsedMs: clock.elapsedMs }
  if (address.kind === 'sandbox')
    return cachedEndpoint(() => fromSandbox(address.kubeconfig), limits)
  if (address.kind === 'inCluster') return cachedEndpoint(() => fromServiceAccount(address), limits)
  return cachedEndpoint(() => fromKubeconfig(address), limits)
}

interface SandboxConfig {
  clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }]
  users: [{ user: { token: string } }]
}

/** Reads the kubeconfig of the sandbox. It is JSON, so no YAML parser is loaded. */
async function fromSandbox(path: string): Promise<Endpoint> {
  // The sandbox writes exactly this shape.
  const { clusters, users } = JSON.parse(await readFile(path, 'utf8')) as SandboxConfig
  const { cluster } = clusters[0]
  return {
    url: cluster.server,
    ca: Buffer.from(cluster['certificate-authority-data'], 'base64'),
    headers: { authorization: `Bearer ${users[0].user.token}` },
  }
}

const inPod = {
  mounted: '/var/run/secrets/kubernetes.io/serviceaccount',
  // Every cluster's API server has this name, and its certificate contains it.
  url: 'https://kubernetes.default.svc',
}

async function fromServiceAccount(address: { mounted?: string; url?: string }): Promise<Endpoint> {
  const { mounted, url } = { ...inPod, ...address }
  const [token, ca] = await Promise.all([
    readFile(join(mounted, 'token'), 'utf8'),
    readFile(join(mounted, 'ca.crt')),
  ])
  return { url, ca, headers: { authorization: `Bearer ${token.trim()}` } }
}

/**
 * Reads a kubeconfig with the client library, which supports client certificates, exec plugins and
 * OIDC. It costs 22 MB of memory, so it is not loaded for a sandbox or inside a cluster.
 */
async function fromKubeconfig({
  kubeconfig,
  context,
}: {
  kubeconfig: string | null
  context: string | null
}): Promise<Endpoint> {
  const { KubeConfig } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  if (kubeconfig === null) config.loadFromDefault()
  else config.loadFromFile(kubeconfig)
  if (context !== null) config.setCurrentContext(context)
  const options: Parameters<typeof config.applyToHTTPSOptions>[0] = {}
  await config.applyToHTTPSOptions(options)
  return {
    url: config.getCurrentCluster()?.server ?? '',
    headers: textHeaders(options.headers),
    ca: material(options.ca),
    cert: material(options.cert),
    key: material(options.key),
    acceptAnyCertificate: config.getCurrentCluster()?.skipTLSVerify === true,
  }
}

const material = (value: unknown): string | Buffer | undefined =>
  typeof value === 'string' || Buffer.isBuffer(value) ? value : undefined

function textHeaders(headers: unknown): Record<string, string> {
  if (typeof headers !== 'object' || headers === null) return {}
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
}
