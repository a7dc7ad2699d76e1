import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWatcher } from '../../cluster/watcher.ts'
import { ByteTail } from '../../engine/kube/streams/byte-tail.ts'
import { type ClusterStreams, type GuestLogStream } from '../../engine/kube/streams/streams.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { kept } from '../../domain/guest/guest-log.ts'
import { type SeenInstance, type SeenVm, isOver } from '../../domain/vm/seen.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type BootLogs } from '../../store/vm/vm-boot-log.ts'

/**
 * A guest's log is gone with the pod that ran it. To follow each of 10,000 machines all the time
 * would take as many connections, so a log is read when a run comes to its end: just before Berth
 * itself tells the cluster to end one, and when one is seen that has ended. The log is then
 * followed to its last line and kept. What may be missed is a run that ends by itself, for the
 * cluster clears it away at once, and whatever goes beyond the bounds here; nobody waits long for
 * this, and nothing fails because of it.
 */
export interface LogKeeper {
  /** The same cluster, whose runs do not end unnoticed. */
  readonly cluster: KeptCluster
  stop(): Promise<void>
}

type KeptCluster = { reader: ClusterReader; writer: ClusterWriter } & Pick<
  ClusterWatcher,
  'recallVm'
>

export interface LogKeeperParts {
  cluster: KeptCluster & { streams: Pick<ClusterStreams, 'followGuestLog'> }
  bootLogs: Pick<BootLogs, 'keep'>
  clock: Clock
  log: Log
}

type Place = Pick<SeenVm, 'namespace' | 'name'>

const limits = {
  /** Followed at once. */
  open: 200,
  lines: 5_000,
  /** A guest may take its time to go down, or never do. */
  followMs: 120_000,
  /** How long an order waits for the log to be there. */
  openMs: 2_000,
  remembered: 10_000,
} as const

const ordersThatEnd: readonly string[] = ['forceStop', 'restart', 'forceRestart']

export function keepLogs(parts: LogKeeperParts): LogKeeper {
  const { reader, writer, recallVm } = parts.cluster
  const followers = new Followers(parts)
  return {
    cluster: {
      reader: {
        ...reader,
        async getVm(ref) {
          return followers.look(await reader.getVm(ref))
        },
      },
      recallVm: (ref) => followers.look(recallVm(ref)),
      writer: {
        ...writer,
        async applyObject(wanted) {
          const { noun, namespace, name, uid, as } = wanted
          if (
            noun === 'vm' &&
            namespace !== null &&
            uid !== null &&
            'power' in as &&
            as.power === 'off'
          )
            await followers.begin({ namespace, name })
          return writer.applyObject(wanted)
        },
        async powerVm(ref, action, vm) {
          if (ordersThatEnd.includes(action)) await followers.begin(ref)
          return writer.powerVm(ref, action, vm)
        },
      },
    },
    stop: () => followers.stop(),
  }
}

/** The run is over, or about to be. */
const isEnding = ({ isDeleting, phase }: SeenInstance): boolean => isDeleting || isOver(phase)

class Followers {
  readonly #parts: LogKeeperParts
  readonly #open = new Map<string, Promise<void>>()
  readonly #streams = new Set<GuestLogStream>()
  /** Runs that were followed to their end. */
  readonly #known = new Map<string, true>()
  /** The last run of each machine that was seen running here. */
  readonly #runs = new Map<string, string>()
  #isStopping = false

  constructor(parts: LogKeeperParts) {
    this.#parts = parts
  }

  /** Resolves when the log is being followed, or cannot be. */
  async begin(place: Place): Promise<void> {
    const key = keyOf(place)
    if (this.#open.has(key) || this.#open.size >= limits.open || this.#isStopping) return
    const begun = Promise.withResolvers<undefined>()
    const following = this.#follow(place, () => begun.resolve(undefined))
      .catch((error: unknown) =>
        this.#parts.log.debug('the log of a run was not kept', { ...placeOf(place), error }),
      )
      .finally(() => {
        begun.resolve(undefined)
        this.#open.delete(key)
      })
    this.#open.set(key, following)
    const late = new AbortController()
    await Promise.race([begun.promise, this.#parts.clock.sleep(limits.openMs, late.signal)])
    late.abort()
  }

  /**
   * Without making anybody wait. The log of a run that ended by itself is mostly gone before it is
   * opened; where that happened the next run is followed from its beginning, so of what crashes
   * again and again it is kept from the second time on.
   */
  look(seen: SeenVm | null): SeenVm | null {
    if (seen?.instance && !seen.isDeleting && !this.#known.has(seen.instance.uid))
      this.#lookAt(seen, seen.instance)
    return seen
  }

  #lookAt(place: Place, run: SeenInstance): void {
    if (isEnding(run)) void this.begin(place)
    if (run.phase !== 'Running') return
    const key = keyOf(place)
    const former = this.#runs.get(key)
    if (former === run.uid) return
    keepIn(this.#runs, key, run.uid)
    if (former !== undefined && !this.#known.has(former)) void this.begin(place)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    for (const stream of this.#streams) stream.close()
    await Promise.all(this.#open.values())
  }

  async #follow({ namespace, name }: Place, opened: () => void): Promise<void> {
    const { cluster, bootLogs, clock } = this.#parts
    const stream = await cluster.streams.followGuestLog(
      { namespace, vm: name },
      { tailLines: limits.lines },
    )
    this.#streams.add(stream)
    if (this.#isStopping) stream.close()
    opened()
    const tail = new ByteTail(kept.bytes)
    const late = new AbortController()
    void clock.sleep(limits.followMs, late.signal).then(() => stream.close())
    try {
      for await (const bytes of stream.bytes) tail.push(bytes)
    } finally {
      late.abort()
      this.#streams.delete(stream)
    }
    const { uid: runUid, startedAt } = stream.run
    const bytes = tail.bytes()
    if (bytes.length > 0)
      await bootLogs.keep({ namespace, name, runUid, startedAt, bytes, isCut: tail.isCut })
    if ((await stream.closed) === 'ended') keepIn(this.#known, runUid, true)
  }
}

/** Forgets the oldest where there are too many. */
function keepIn<Value>(known: Map<string, Value>, name: string, value: Value): void {
  const [oldest] = known.keys()
  if (known.size >= limits.remembered && oldest !== undefined) known.delete(oldest)
  known.set(name, value)
}

const keyOf = ({ namespace, name }: Place): string => `${namespace}/${name}`

const placeOf = ({ namespace, name }: Place): Place => ({ namespace, name })
