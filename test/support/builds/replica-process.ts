import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, Wire } from '../clients/http-client.ts'
import { waitFor } from '../wait-for.ts'
import { rootPassword } from '../world/world.ts'

/** The database, the cluster and the secret that all replicas of an installation share. */
export interface Installation {
  databaseUrl: string
  kubeconfig: string
  secret: string
}

/** A built program of Berth, one of several on the same installation. */
export interface ReplicaProcess extends AsyncDisposable {
  readonly wire: Wire
  readonly output: () => string
  /** Sends SIGTERM, and resolves with the exit code. */
  stop(): Promise<number | null>
}

/** Starts the API or the reconcilers of a build, and waits until they are ready. */
export async function startReplica(
  dist: string,
  program: 'api' | 'worker',
  { databaseUrl, kubeconfig, secret }: Installation,
): Promise<ReplicaProcess> {
  const folder = mkdtempSync(join(tmpdir(), `berth-${program}-`))
  const port = await freePort()
  // JSON is YAML.
  const file = {
    server: program === 'api' ? { port } : { workerPort: port },
    cluster: { kind: 'kubeconfig', kubeconfig, callsPerSecond: 200 },
    api: { rateLimit: { requests: 0 } },
  }
  writeFileSync(join(folder, 'berth.yaml'), JSON.stringify(file))
  const child = spawn(process.execPath, [join(dist, `${program}.js`)], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      BERTH_DATABASE_URL: databaseUrl,
      BERTH_DATA_DIR: join(folder, 'data'),
      BERTH_ROOT_PASSWORD: rootPassword,
      BERTH_SECRET: secret,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = outputOf(child)
  const exited = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  const wire = new Wire(() => `http://127.0.0.1:${port}`)
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM')
    const code = await exited
    wire.close()
    rmSync(folder, { recursive: true, force: true })
    return code
  }
  const isReady = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`the ${program} did not start: ${output()}`)
    return (await wire.send('GET', '/readyz').catch(() => null))?.status === 200
  }
  try {
    await waitFor(isReady, { timeoutMs: 30_000, what: () => `the ${program}: ${output()}` })
  } catch (error) {
    await stop()
    throw error
  }
  return { wire, output, stop, [Symbol.asyncDispose]: async () => void (await stop()) }
}

/** Collects the newest output of a process, for failure messages. */
function outputOf(child: ChildProcess): () => string {
  let written = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (written = (written + chunk.toString()).slice(-20_000)))
  return () => written
}
