import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sandboxProgram } from './program.ts'

/** The fields of an answer that tests read. The real content is under test. */
export interface KubeBody {
  kind?: string
  status?: unknown
  message?: string
  reason?: string
  code?: number
  details?: {
    name?: string
    kind?: string
    uid?: string
    causes?: { reason: string; message: string; field: string }[]
  }
  metadata: {
    name: string
    uid: string
    resourceVersion: string
    continue?: string
    generation?: number
    deletionTimestamp?: string
    finalizers?: string[]
    labels?: Record<string, string>
    managedFields?: { manager: string; operation: string }[]
  }
  spec?: unknown
  data?: Record<string, string>
  items: KubeBody[]
}

export interface KubeAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  body: KubeBody
}

export interface KubeCall {
  method?: string
  headers?: Record<string, string>
  body?: unknown
  anonymous?: boolean
}

/** A plain HTTP client of a Kubernetes API, without a library. */
export interface KubeClient {
  url: string
  ca: string | undefined
  token: string
  call(path: string, call?: KubeCall): Promise<KubeAnswer>
  close(): void
}

export interface RunningSandbox extends KubeClient {
  folder: string
  pid: number
  /** Kills the process and waits for its exit. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Ends the process and removes its folder. */
  stop(): Promise<void>
}

/** Starts the sandbox as a program of its own and returns a client of its API. */
export async function startSandboxProcess(
  folder = mkdtempSync(join(tmpdir(), 'berth-sandbox-')),
  { port = 0, pace = 1, components = [] as readonly string[] } = {},
): Promise<RunningSandbox> {
  const args = [
    '--folder',
    folder,
    '--port',
    String(port),
    '--pace',
    String(pace),
    ...components.flatMap((name) => ['--with', name]),
  ]
  const child = spawn(process.execPath, [sandboxProgram, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  const complaints: string[] = []
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()))
  const ready = await new Promise<{ kubeconfig: string }>((done, failed) => {
    child.stdout.once('data', (line: Buffer) =>
      done(JSON.parse(line.toString()) as { kubeconfig: string }),
    )
    child.once('exit', (code) =>
      failed(new Error(`the sandbox ended with ${code}: ${complaints.join('')}`)),
    )
  })
  const client = await kubeClientOf(ready.kubeconfig)
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    child.kill(signal)
    await gone
  }
  return {
    ...client,
    folder,
    pid: child.pid ?? 0,
    kill,
    async stop() {
      client.close()
      await kill('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Returns a client for the first cluster and user of a kubeconfig in the sandbox's JSON format. */
export async function kubeClientOf(kubeconfig: string): Promise<KubeClient> {
  const config = JSON.parse(await readFile(kubeconfig, 'utf8')) as {
    clusters: { cluster: { server: string; 'certificate-authority-data'?: string } }[]
    users: { user: { token: string } }[]
  }
  const cluster = config.clusters[0]?.cluster
  const encoded = cluster?.['certificate-authority-data']
  const ca = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString()
  return openClient({ url: cluster?.server ?? '', ca, token: config.users[0]?.user.token ?? '' })
}

function openClient({ url, ca, token }: Pick<KubeClient, 'url' | 'ca' | 'token'>): KubeClient {
  const agent = new Agent({ keepAlive: true, ...(ca === undefined ? {} : { ca }) })
  const { hostname, port } = new URL(url)
  return {
    url,
    ca,
    token,
    close: () => agent.destroy(),
    call: (path, { method = 'GET', headers = {}, body, anonymous = false } = {}) =>
      new Promise((done, failed) => {
        const content =
          body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
        const credentials = anonymous ? {} : { authorization: `Bearer ${token}` }
        const headerNames = Object.keys(headers).map((name) => name.toLowerCase())
        const type =
          content === undefined || headerNames.includes('content-type')
            ? {}
            : { 'content-type': 'application/json' }
        const length =
          content === undefined ? {} : { 'content-length': String(Buffer.byteLength(content)) }
        // The path is sent unchanged. A URL object would normalise dots that the test must send.
        const sent = request(
          {
            hostname,
            port,
            path,
            method,
            agent,
            headers: { ...credentials, ...type, ...length, ...headers },
          },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('error', failed)
            response.on('end', () => {
              const text = Buffer.concat(chunks).toString()
              // The content type is no help, because some JSON is sent as plain text.
              const isJson = /^[{[]/.test(text) && !text.includes('\n{"type"')
              done({
                status: response.statusCode ?? 0,
                headers: response.headers,
                text,
                body: isJson ? parseOrNull(text) : nothing,
              })
            })
          },
        )
        sent.setTimeout(60_000, () => sent.destroy(new Error(`no answer to ${method} ${path}`)))
        sent.once('error', failed)
        sent.end(content)
      }),
  }
}

/** The body of an answer that is not JSON. */
const nothing: KubeBody = { metadata: { name: '', uid: '', resourceVersion: '' }, items: [] }

function parseOrNull(text: string): KubeBody {
  try {
    // The content is under test; see `KubeBody`.
    return JSON.parse(text) as KubeBody
  } catch {
    return nothing
  }
}
