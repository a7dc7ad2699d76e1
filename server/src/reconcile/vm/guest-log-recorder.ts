import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWatcher } from '../../cluster/watcher.ts'
import { ByteTail } from '../../engine/kube/streams/byte-tail.ts'
import { type ClusterStreams, type GuestLogStream } from '../../engine/kube/streams/streams.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { logRetention } from '../../domain/guest/guest-log.ts'
import { type ObservedVmi, type ObservedVm, isOver } from '../../domain/vm/observed.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type BootLogs } from '../../store/vm/vm-boot-log.ts'

/**
 * Saves the logs of guests, which are gone with the pod that ran them. Following each of 10,000 VMs
 * all the time would need as many connections, so a log is read when a VMI ends. That is just
 * before Berth itself ends it, or when an ended VMI is observed. The log is then followed to its
 * last line and stored.
 *
 * A log is missed when a VMI ends by itself and the cluster removes it at once, or when a limit
 * below is reached. No caller waits long for a log, and a failure here fails nothing else.
 */
export interface GuestLogRecorder {
  /** The same cluster, wrapped so that logs are saved before VMIs end. */
  readonly cluster: LoggedCluster
  stop(): Promise<void>
}

type LoggedCluster = { reader: ClusterReader; writer: ClusterWriter } & Pick<
  ClusterWatcher,
  'getCachedVm'
>

export interface GuestLogRecorderParts {
  cluster: LoggedCluster & { streams: Pick<ClusterStreams, 'followGuestLog'> }
  bootLogs: Pick<BootLogs, 'store'>
  clock: Clock
  log: Log
}

type VmReference = Pick<ObservedVm, 'namespace' | 'name'>

const limits = {
  /** The number of logs that are followed at the same time. */
  open: 200,
  lines: 5_000,
  /** A guest may take long to shut down, or never do it. */
  followMs: 120_000,
  /** The time that a power command waits for the log to be opened. */
  openMs: 2_000,
  remembered: 10_000,
} as const

const endingCommands: readonly string[] = ['forceStop', 'restart', 'forceRestart']

export function recordGuestLogs(parts: GuestLogRecorderParts): GuestLogRecorder {
  const { reader, writer, getCachedVm } = parts.cluster
  const followers = new Followers(parts)
  return {
    cluster: {
      reader: {
        ...reader,
        async getVm(ref) {
          return followers.observe(await reader.getVm(ref))
        },
      },
      getCachedVm: (ref) => followers.observe(getCachedVm(ref)),
      writer: {
        ...writer,
        async applyObject(desired) {
          const { noun, namespace, name, uid, spec } = desired
          if (
            noun === 'vm' &&
            namespace !== null &&
            uid !== null &&
            'power' in spec &&
            spec.power === 'off'
          )
            await followers.begin({ namespace, name })
          return writer.applyObject(desired)
        },
        async powerVm(ref, action, vm) {
          if (endingCommands.includes(action)) await followers.begin(ref)
          return writer.powerVm(ref, action, vm)
        },
      },
    },
    stop: () => followers.stop(),
  }
}

/** True when the VMI has ended or is about to end. */
const isEnding = ({ isDeleting, phase }: ObservedVmi): boolean => isDeleting || isOver(phase)

class Followers {
  readonly #parts: GuestLogRecorderParts
  readonly #open = new Map<string, Promise<void>>()
  readonly #streams = new Set<GuestLogStream>()
  /** The VMIs whose logs were followed to their end. */
  readonly #finished = new Map<string, true>()
  /** The last VMI of each VM that was observed running by this process. */
  readonly #vmis = new Map<string, string>()
  #isStopping = false

  constructor(parts: GuestLogRecorderParts) {
    this.#parts = parts
  }

  /** Resolves when the log is being followed, or cannot be followed. */
  async begin(reference: VmReference): Promise<void> {
    const key = keyOf(reference)
    if (this.#open.has(key) || this.#open.size >= limits.open || this.#isStopping) return
    const begun = Promise.withResolvers<undefined>()
    const following = this.#follow(reference, () => begun.resolve(undefined))
      .catch((error: unknown) =>
        this.#parts.log.debug('vm.guest_log_follow_failed', {
          ...referenceOf(reference),
          error,
          effect: 'lines of this boot are missing in the log of the VM',
        }),
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
   * Starts to follow a log without delaying the caller. The log of a VMI that ended by itself is
   * mostly gone before it is opened. In that case the next VMI is followed from its start, so a
   * crash loop is logged from the second crash on.
   */
  observe(observed: ObservedVm | null): ObservedVm | null {
    if (observed?.vmi && !observed.isDeleting && !this.#finished.has(observed.vmi.uid))
      this.#observeVmi(observed, observed.vmi)
    return observed
  }

  #observeVmi(reference: VmReference, vmi: ObservedVmi): void {
    if (isEnding(vmi)) void this.begin(reference)
    if (vmi.phase !== 'Running') return
    const key = keyOf(reference)
    const former = this.#vmis.get(key)
    if (former === vmi.uid) return
    addBounded(this.#vmis, key, vmi.uid)
    if (former !== undefined && !this.#finished.has(former)) void this.begin(reference)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    for (const stream of this.#streams) stream.close()
    await Promise.all(this.#open.values())
  }

  async #follow({ namespace, name }: VmReference, opened: () => void): Promise<void> {
    const { cluster, bootLogs, clock } = this.#parts
    const stream = await cluster.streams.followGuestLog(
      { namespace, vm: name },
      { tailLines: limits.lines },
    )
    this.#streams.add(stream)
    if (this.#isStopping) stream.close()
    opened()
    const tail = new ByteTail(logRetention.bytes)
    const late = new AbortController()
    void clock.sleep(limits.followMs, late.signal).then(() => stream.close())
    try {
      for await (const bytes of stream.bytes) tail.push(bytes)
    } finally {
      late.abort()
      this.#streams.delete(stream)
    }
    const { uid: vmiUid, startedAt } = stream.vmi
    const bytes = tail.bytes()
    if (bytes.length > 0)
      await bootLogs.store({ namespace, name, vmiUid, startedAt, bytes, isCut: tail.isCut })
    if ((await stream.closed) === 'ended') addBounded(this.#finished, vmiUid, true)
  }
}

/** Adds an entry, and evicts the oldest one when there are too many. */
function addBounded<Value>(entries: Map<string, Value>, name: string, value: Value): void {
  const [oldest] = entries.keys()
  if (entries.size >= limits.remembered && oldest !== undefined) entries.delete(oldest)
  entries.set(name, value)
}

const keyOf = ({ namespace, name }: VmReference): string => `${namespace}/${name}`

const referenceOf = ({ namespace, name }: VmReference): VmReference => ({ namespace, name })
