import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OperationKind, allStepPoints } from '../../server/src/domain/operation/kind.ts'
import { type FailpointPlan } from '../../server/src/runtime/failpoint.ts'
import { waitFor } from './wait-for.ts'
import { type World } from './world.ts'

const workerEntry = fileURLToPath(new URL('./world-worker.ts', import.meta.url))

/** Workers of a world in processes of their own, which can be killed. */
export class WorldWorkers {
  readonly #world: World
  readonly #running = new Set<{ kill: () => void; ended: Promise<string> }>()

  constructor(world: World) {
    this.#world = world
  }

  /** Resolves when it is gone, with how it went. */
  start(failpoints: FailpointPlan | null = null): Promise<string> {
    const { data, database } = this.#world.config
    const kubeconfig = join(data.dir, 'sandbox', 'kubeconfig')
    const child = spawn(process.execPath, [workerEntry], { stdio: ['pipe', 'inherit', 'inherit'] })
    child.stdin.end(JSON.stringify({ url: database.url?.reveal(), dataDir: data.dir, kubeconfig, failpoints }))
    const ended = new Promise<string>((done) => child.once('exit', (code, signal) => done(signal ?? String(code))))
    const running = { kill: () => void child.kill('SIGKILL'), ended }
    this.#running.add(running)
    return ended.finally(() => this.#running.delete(running))
  }

  async stop(): Promise<void> {
    const running = [...this.#running]
    for (const { kill } of running) kill()
    await Promise.all(running.map(({ ended }) => ended))
    await this.lapse()
  }

  /** What the dead held is waited for elsewhere (ten seconds each); here it has run out. */
  async lapse(): Promise<void> {
    await this.#world.database.sql(`update work set lease_until = now() - interval '1 second' where lease_until is not null`)
    await this.#world.database.sql(`update leadership set expires_at = now() - interval '1 second'`)
  }

  async idle(): Promise<void> {
    const query = 'select kind, target_name from operation where finished_at is null'
    await waitFor(async () => (await this.#world.database.sql(query)).length === 0, { timeoutMs: 30_000, what: 'all operations to end' })
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

interface KilledLife {
  kind: OperationKind
  rule: { at: string; where: 'before' | 'after' }
  id: string
  left: string | null
}

const both = ['before', 'after'] as const
const isThorough = process.env['BERTH_TEST_THOROUGH'] === '1'

/** A kill takes seconds, so each run makes one at every step, on a side drawn anew; with BERTH_TEST_THOROUGH=1 on both. */
const sides = (): readonly ('before' | 'after')[] => (isThorough ? both : [Math.random() < 0.5 ? 'before' : 'after'])

/**
 * Before or after every step of the kinds a worker is killed, each time over another object, and the next worker takes up what it left. The first kind
 * is the one that makes the object.
 */
export async function killedLives(
  workers: WorldWorkers,
  kinds: readonly OperationKind[],
  { begin, ask, ripen, look }: Lived,
): Promise<KilledLife[]> {
  const [first, ...later] = kinds
  const planned = (of: readonly OperationKind[]) =>
    of.flatMap((kind) => allStepPoints([kind]).flatMap((at) => sides().map((where) => ({ kind, rule: { at, where } }))))
  const lives: KilledLife[] = []
  const kill = async (life: Omit<KilledLife, 'left'>): Promise<void> => {
    const how = await workers.start({ rules: [{ ...life.rule, of: life.id, do: 'kill', nth: 1 }] })
    if (how !== 'SIGKILL') throw new Error(`the worker was not killed ${life.rule.where} ${life.rule.at}: ${how}`)
    await workers.lapse()
    lives.push({ ...life, left: (await look?.(life.id)) ?? null })
  }
  for (const plan of planned(first ? [first] : [])) await kill({ ...plan, id: await begin(plan.kind) })
  const waiting = await Promise.all(planned(later).map(async (plan) => ({ ...plan, id: await begin(plan.kind) })))
  void workers.start()
  await workers.idle()
  if (ripen) await Promise.all(waiting.map(({ kind, id }) => ripen(kind, id)))
  await workers.idle()
  await workers.stop()
  for (const life of waiting) {
    await ask(life.kind, life.id)
    await kill(life)
  }
  void workers.start()
  await workers.idle()
  return lives
}
