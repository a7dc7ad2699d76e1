import { crc32 } from 'node:zlib'
import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { type FailpointPlan, type FailpointRule } from '../../../server/src/runtime/failpoint.ts'
import { waitFor } from '../wait-for.ts'
import { type World } from '../world/world.ts'
import { workerProgram } from '../world/worker-program.ts'
import { testSeed } from '../seed.ts'

interface Running {
  pid: number
  kill: () => void
  /** The signal or exit code of the ended process. */
  ended: Promise<string>
  /** True after the worker has noticed that it lost its lease. */
  isFenced: boolean
}

const isStopped = (pid: number): boolean =>
  execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('T')

/** Worker processes of a world that can be killed and paused. */
export class WorldWorkers {
  readonly #world: World
  readonly #running = new Set<Running>()
  readonly #paused: Running[] = []

  constructor(world: World) {
    this.#world = world
  }

  /** Starts a worker. Resolves with its signal or exit code when it ends. */
  start(failpoints: FailpointPlan | null = null): Promise<string> {
    return this.#spawn(failpoints).ended
  }

  /** Starts a worker that the fault kills or stops. Afterwards its leases have expired. */
  async inject(fault: WorkerFault, of: string): Promise<void> {
    const running = this.#spawn({ rules: [{ ...fault, of, nth: 1 }] })
    if (fault.do === 'stop') {
      await waitFor(() => isStopped(running.pid), {
        timeoutMs: 15_000,
        what: `the worker to stop ${fault.where} ${fault.at}`,
      })
      this.#paused.push(running)
    } else {
      const how = await running.ended
      if (how !== 'SIGKILL')
        throw new Error(`the worker was not killed ${fault.where} ${fault.at}: ${how}`)
    }
    await this.lapse()
  }

  /** Resumes the paused workers, and waits until each has noticed that it lost its lease. */
  async resume(): Promise<void> {
    const paused = this.#paused.splice(0)
    for (const { pid } of paused) process.kill(pid, 'SIGCONT')
    await waitFor(() => paused.every(({ isFenced }) => isFenced), {
      timeoutMs: 15_000,
      what: 'the resumed workers to notice that they lost their leases',
    })
  }

  #spawn(failpoints: FailpointPlan | null): Running {
    const { data, database } = this.#world.config
    const kubeconfig = join(data.dir, 'sandbox', 'kubeconfig')
    const child = spawn(process.execPath, [workerProgram], { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(
      JSON.stringify({ url: database.url?.reveal(), dataDir: data.dir, kubeconfig, failpoints }),
    )
    const ended = new Promise<string>((done) =>
      child.once('exit', (code, signal) => done(signal ?? String(code))),
    )
    const running: Running = {
      pid: child.pid ?? 0,
      kill: () => void child.kill('SIGKILL'),
      ended,
      isFenced: false,
    }
    child.stdout.once('data', () => (running.isFenced = true))
    this.#running.add(running)
    void ended.then(() => this.#running.delete(running))
    return running
  }

  async stop(): Promise<void> {
    const running = [...this.#running]
    for (const { kill } of running) kill()
    await Promise.all(running.map(({ ended }) => ended))
    await this.lapse()
  }

  /** Expires all leases. Otherwise each scenario would wait ten seconds for them. */
  async lapse(): Promise<void> {
    await this.#world.database.sql(
      `update work set lease_until = now() - interval '1 second' where lease_until is not null`,
    )
    await this.#world.database.sql(`update leadership set expires_at = now() - interval '1 second'`)
  }

  /** Waits until no operation is open and no lease of a dead or paused worker is left. */
  async idle(): Promise<void> {
    const query =
      'select kind from operation where finished_at is null union all select kind from work where lease_until is not null'
    await waitFor(async () => (await this.#world.database.sql(query)).length === 0, {
      timeoutMs: 30_000,
      what: 'all work to end',
    })
  }
}

interface ScenarioActions {
  /** Requests an object on which this kind of operation is possible. */
  begin: (kind: OperationKind) => Promise<string>
  /** Requests the operation. Does nothing when `begin` has already requested it. */
  ask: (kind: OperationKind, id: string) => Promise<unknown>
  /** Waits until the object from `begin` is ready. */
  ready?: (kind: OperationKind, id: string) => Promise<unknown>
  /** Reads the state of the object right after the fault. */
  read?: (id: string) => Promise<string | null>
}

interface ScenarioKinds {
  /** The kind that `begin` itself requests, if that has steps. */
  creation: OperationKind | null
  /** The kinds that `ask` requests later. */
  later: readonly OperationKind[]
}

/** A fault at a step: the worker dies, or it stops for longer than its lease. */
type WorkerFault = Required<Pick<FailpointRule, 'at' | 'where'>> & { do: 'kill' | 'stop' }

interface WorkerFaultScenario {
  kind: OperationKind
  fault: WorkerFault
  id: string
  left: string | null
}

const allWorkerFaultsAt = (at: string): readonly WorkerFault[] =>
  (['before', 'after'] as const).flatMap((where) =>
    (['kill', 'stop'] as const).map((what) => ({ at, where, do: what })),
  )

const isThorough = process.env['BERTH_TEST_THOROUGH'] === '1'

/**
 * Each fault takes seconds, so the seed chooses one of the four for every step. The choice depends
 * on nothing but the step's name. BERTH_TEST_THOROUGH=1 runs all four.
 */
export function workerFaultsAt(at: string): readonly WorkerFault[] {
  const all = allWorkerFaultsAt(at)
  const chosen = (crc32(at) + testSeed) % all.length
  return isThorough ? all : all.filter((_, index) => index === chosen)
}

/**
 * Kills or pauses a worker before or after every step of the kinds, each time for another object.
 * The next worker continues the work. Paused workers resume when all work is done.
 */
export async function workerFaultScenarios(
  workers: WorldWorkers,
  { creation, later }: ScenarioKinds,
  { begin, ask, ready, read }: ScenarioActions,
): Promise<WorkerFaultScenario[]> {
  const planned = (of: readonly OperationKind[]) =>
    of.flatMap((kind) =>
      allStepFailpoints([kind]).flatMap((at) =>
        workerFaultsAt(at).map((fault) => ({ kind, fault })),
      ),
    )
  const scenarios: WorkerFaultScenario[] = []
  const inject = async (scenario: Omit<WorkerFaultScenario, 'left'>): Promise<void> => {
    await workers.inject(scenario.fault, scenario.id)
    scenarios.push({ ...scenario, left: (await read?.(scenario.id)) ?? null })
  }
  for (const plan of planned(creation ? [creation] : []))
    await inject({ ...plan, id: await begin(plan.kind) })
  const waiting = await Promise.all(
    planned(later).map(async (plan) => ({ ...plan, id: await begin(plan.kind) })),
  )
  await finish(workers)
  if (ready) await Promise.all(waiting.map(({ kind, id }) => ready(kind, id)))
  await workers.idle()
  await workers.stop()
  for (const scenario of waiting) {
    await ask(scenario.kind, scenario.id)
    await inject(scenario)
  }
  await finish(workers)
  return scenarios
}

async function finish(workers: WorldWorkers): Promise<void> {
  void workers.start()
  await workers.idle()
  await workers.resume()
  await workers.idle()
}
