import { crc32 } from 'node:zlib'
import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allStepPoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { type FailpointPlan, type FailpointRule } from '../../../server/src/runtime/failpoint.ts'
import { waitFor } from '../wait-for.ts'
import { type World } from '../world/world.ts'
import { testSeed } from '../seed.ts'

const workerEntry = fileURLToPath(new URL('../world/worker.ts', import.meta.url))

interface Running {
  pid: number
  kill: () => void
  /** How it went, once it is gone. */
  ended: Promise<string>
  /** It has found out that what it worked on is somebody else's. */
  isFenced: boolean
}

const isStopped = (pid: number): boolean =>
  execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('T')

/** Workers of a world in processes of their own, which can be killed and paused. */
export class WorldWorkers {
  readonly #world: World
  readonly #running = new Set<Running>()
  readonly #paused: Running[] = []

  constructor(world: World) {
    this.#world = world
  }

  /** Resolves when it is gone, with how it went. */
  start(failpoints: FailpointPlan | null = null): Promise<string> {
    return this.#spawn(failpoints).ended
  }

  /** One that meets the blow and is dead afterwards, or stands still. What it held has run out. */
  async strike(blow: Blow, of: string): Promise<void> {
    const running = this.#spawn({ rules: [{ ...blow, of, nth: 1 }] })
    if (blow.do === 'stop') {
      await waitFor(() => isStopped(running.pid), {
        timeoutMs: 15_000,
        what: `the worker to stop ${blow.where} ${blow.at}`,
      })
      this.#paused.push(running)
    } else {
      const how = await running.ended
      if (how !== 'SIGKILL')
        throw new Error(`the worker was not killed ${blow.where} ${blow.at}: ${how}`)
    }
    await this.lapse()
  }

  /** Those that were paused go on where they stood, until each knows that it came too late. */
  async wake(): Promise<void> {
    const paused = this.#paused.splice(0)
    for (const { pid } of paused) process.kill(pid, 'SIGCONT')
    await waitFor(() => paused.every(({ isFenced }) => isFenced), {
      timeoutMs: 15_000,
      what: 'those that were paused to find out',
    })
  }

  #spawn(failpoints: FailpointPlan | null): Running {
    const { data, database } = this.#world.config
    const kubeconfig = join(data.dir, 'sandbox', 'kubeconfig')
    const child = spawn(process.execPath, [workerEntry], { stdio: ['pipe', 'pipe', 'inherit'] })
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

  /** What the dead held is waited for elsewhere (ten seconds each); here it has run out. */
  async lapse(): Promise<void> {
    await this.#world.database.sql(
      `update work set lease_until = now() - interval '1 second' where lease_until is not null`,
    )
    await this.#world.database.sql(`update leadership set expires_at = now() - interval '1 second'`)
  }

  /**
   * Nothing is promised any more, and what the dead and the paused held has been taken up by
   * somebody.
   */
  async idle(): Promise<void> {
    const query =
      'select kind from operation where finished_at is null union all select kind from work where lease_until is not null'
    await waitFor(async () => (await this.#world.database.sql(query)).length === 0, {
      timeoutMs: 30_000,
      what: 'all work to end',
    })
  }
}

interface Lived {
  /** Asks for an object that lives up to the point where this is asked of it. */
  begin: (kind: OperationKind) => Promise<string>
  /** Asks it of the object; nothing where asking for the object was it. */
  ask: (kind: OperationKind, id: string) => Promise<unknown>
  /** What was asked for in `begin` has come to pass. */
  ripen?: (kind: OperationKind, id: string) => Promise<unknown>
  /** What there is of it right after the kill. */
  look?: (id: string) => Promise<string | null>
}

/** What befalls a worker at a step: it dies, or it stands still for longer than its lease. */
type Blow = Required<Pick<FailpointRule, 'at' | 'where'>> & { do: 'kill' | 'stop' }

interface StruckLife {
  kind: OperationKind
  blow: Blow
  id: string
  left: string | null
}

const blowsAt = (at: string): readonly Blow[] =>
  (['before', 'after'] as const).flatMap((where) =>
    (['kill', 'stop'] as const).map((what) => ({ at, where, do: what })),
  )

const isThorough = process.env['BERTH_TEST_THOROUGH'] === '1'

/**
 * Each fault takes seconds, so the seed chooses one of the four for every step. The choice depends
 * on nothing but the step's name. BERTH_TEST_THOROUGH=1 runs all four.
 */
export function blowsHere(at: string): readonly Blow[] {
  const all = blowsAt(at)
  const chosen = (crc32(at) + testSeed) % all.length
  return isThorough ? all : all.filter((_, index) => index === chosen)
}

/**
 * Before or after every step of the kinds a worker is killed or paused, each time over another
 * object, and the next worker takes up what it left; what was paused wakes when all is done.
 */
export async function struckLives(
  workers: WorldWorkers,
  { making, later }: { making: OperationKind | null; later: readonly OperationKind[] },
  { begin, ask, ripen, look }: Lived,
): Promise<StruckLife[]> {
  const planned = (of: readonly OperationKind[]) =>
    of.flatMap((kind) =>
      allStepPoints([kind]).flatMap((at) => blowsHere(at).map((blow) => ({ kind, blow }))),
    )
  const lives: StruckLife[] = []
  const strike = async (life: Omit<StruckLife, 'left'>): Promise<void> => {
    await workers.strike(life.blow, life.id)
    lives.push({ ...life, left: (await look?.(life.id)) ?? null })
  }
  for (const plan of planned(making ? [making] : []))
    await strike({ ...plan, id: await begin(plan.kind) })
  const waiting = await Promise.all(
    planned(later).map(async (plan) => ({ ...plan, id: await begin(plan.kind) })),
  )
  await finish(workers)
  if (ripen) await Promise.all(waiting.map(({ kind, id }) => ripen(kind, id)))
  await workers.idle()
  await workers.stop()
  for (const life of waiting) {
    await ask(life.kind, life.id)
    await strike(life)
  }
  await finish(workers)
  return lives
}

async function finish(workers: WorldWorkers): Promise<void> {
  void workers.start()
  await workers.idle()
  await workers.wake()
  await workers.idle()
}
