import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { worksFrom } from '../../../server/src/engine/database/run-migrations.ts'
import { migrationFiles } from '../../../server/src/store/migrate.ts'
import { buildBeforeLastMigration, buildServer } from '../../support/builds/server-build.ts'
import {
  type Installation,
  type ReplicaProcess,
  startReplica,
} from '../../support/builds/replica-process.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { aDatabase } from '../../support/postgres/database.ts'
import { startSandboxProcess } from '../../support/sandbox/sandbox.ts'
import { waitFor } from '../../support/wait-for.ts'
import { brokenRules } from '../../support/world/invariants.ts'
import { rootPassword, unique } from '../../support/world/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'berth-builds-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const [former, present] = ['former', 'present'].map((name) => join(folder, name))
const lastMigration = migrationFiles().at(-1)
const suitsFormer = lastMigration && worksFrom(lastMigration) < lastMigration.name
const formerPrograms = suitsFormer ? buildBeforeLastMigration(String(former)) : null

interface Sent {
  method: string
  path: string
  body?: unknown
}

/** Deploys share the machine with the exchange of the builds. */
const creationMs = 800

/** Requests that a client sends without a pause while builds are exchanged beside it. */
class Load {
  readonly failures: string[] = []
  /** The names of VMs whose creation was acknowledged. */
  readonly created: string[] = []
  #replicas: readonly Client[] = []
  /** Creations that have ended, acknowledged or not. */
  #tried = 0
  #isOver = false
  readonly #sending: Promise<void>

  constructor(replicas: readonly Client[]) {
    this.#replicas = replicas
    this.#sending = this.#send()
  }

  /** Sends all later requests to these replicas, after the requests in flight have ended. */
  async moveTo(replicas: readonly Client[]): Promise<void> {
    this.#replicas = replicas
    const tried = this.#tried
    await waitFor(() => this.#tried > tried + replicas.length, {
      timeoutMs: 30_000,
      what: 'creations on the new replicas',
    })
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#sending
  }

  async #send(): Promise<void> {
    while (!this.#isOver) {
      const replica = this.#replicas[this.#tried % this.#replicas.length] as Client
      const name = unique('vm')
      const body = { name, image: 'cirros', root_disk: 'ephemeral', cpu: 1, memory_mi: 64 }
      const made = await this.#request(replica, { method: 'POST', path: '/vms', body })
      this.#tried += 1
      if (made === 201) this.created.push(name)
      const nextCreation = performance.now() + creationMs
      while (performance.now() < nextCreation)
        for (const path of ['/vms?limit=20', '/operations?limit=20', `/vms/${name}`])
          await this.#request(replica, { method: 'GET', path })
    }
  }

  async #request(replica: Client, { method, path, body }: Sent): Promise<number> {
    const answer = await replica.rest(method, path, { body }).catch(String)
    if (typeof answer === 'string') this.failures.push(`${method} ${path}: ${answer}`)
    else if (answer.status >= 400) this.failures.push(`${method} ${path}: ${answer.text}`)
    return typeof answer === 'string' ? 0 : answer.status
  }
}

async function rootOn({ wire }: ReplicaProcess): Promise<Client> {
  const body = { username: 'root', password: rootPassword }
  const login = await wire.send('POST', '/api/v1/auth/login', { body })
  return wire.client(login.body.token)
}

test.skipIf(formerPrograms === null)(
  'the former build and this one serve one database under load, in both directions, without a failure',
  { timeout: 400_000 },
  async () => {
    const [old, now] = [String(formerPrograms), buildServer(String(present))]
    const database = await aDatabase({ template: 'template0' })
    const sandbox = await startSandboxProcess()
    const installation: Installation = {
      databaseUrl: database.url,
      kubeconfig: join(sandbox.folder, 'kubeconfig'),
      secret: randomBytes(32).toString('hex'),
    }
    const start = (dist: string, program: 'api' | 'worker') =>
      startReplica(dist, program, installation)
    try {
      const oldApi = await start(old, 'api')
      const oldWorker = await start(old, 'worker')
      const onOld = await rootOn(oldApi)
      const load = new Load([onOld])

      const newApi = await start(now, 'api')
      const onNew = await rootOn(newApi)
      await load.moveTo([onOld, onNew])
      const newWorker = await start(now, 'worker')
      expect(await oldWorker.stop()).toBe(0)
      await load.moveTo([onNew])
      expect(await oldApi.stop()).toBe(0)

      // The operator goes back to the former build.
      const formerApi = await start(old, 'api')
      const formerWorker = await start(old, 'worker')
      const onFormer = await rootOn(formerApi)
      await load.moveTo([onNew, onFormer])
      expect(await newWorker.stop()).toBe(0)
      await load.moveTo([onFormer])
      expect(await newApi.stop()).toBe(0)
      await load.end()

      expect(load.failures).toEqual([])
      const open = `select kind from operation where finished_at is null`
      await waitFor(async () => (await database.sql(open)).length === 0, {
        timeoutMs: 60_000,
        what: 'all operations to end',
      })
      const running = await database.sql(`select name from vm where state = 'Running'`)
      expect(running.map(({ name }) => name).toSorted()).toEqual(load.created.toSorted())
      expect(await brokenRules({ database, cluster: sandbox })).toEqual([])
      await formerApi.stop()
      await formerWorker.stop()
    } finally {
      await sandbox.stop()
      await database.drop()
    }
  },
)
