import { type Hub } from '../../engine/changes/hub.ts'
import { type GuestLogStream } from '../../engine/kube/streams/streams.ts'
import { Fault, notFound } from '../../engine/model/fault.ts'
import { type Scope } from '../../engine/model/scope.ts'
import { GuestLines } from '../../domain/guest/guest-lines.ts'
import { type LogReason, requireTailLines } from '../../domain/guest/guest-log.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { type Berth, followersPerUser } from '../berth.ts'
import { liveLogOf } from './guest-log-of.ts'
import { type NamedVm, findVm } from './named-vm.ts'
import { messageOf } from '../../engine/model/message.ts'

/** New output in the log of a VM. */
export interface VmLogUpdate {
  lines: readonly string[]
  /** The line that the guest has not ended yet. Each update replaces it. */
  unfinished: string
  /** True while the boot may write more. */
  live: boolean
  /** Why there is no output at the moment. Null while the VM runs. */
  reason: LogReason | null
}

const nothing: VmLogUpdate = { lines: [], unfinished: '', live: false, reason: null }

export interface FollowLogContext {
  berth: Berth
  hub: Hub
  scope: Scope
  userId: string
}

/**
 * Follows the log of a VM through stops and starts, until the VM is deleted. It reads no faster
 * than the consumer.
 */
export async function followVmLog(
  context: FollowLogContext,
  { tailLines, ...request }: NamedVm & { tailLines?: number | null },
): Promise<AsyncIterableIterator<VmLogUpdate>> {
  const lines = requireTailLines(tailLines)
  const vm = await findVm(context.berth.reads(context.scope), request)
  if (!vm) throw notFound('vm', request.name ?? request.id ?? '')
  return new LogFollower(context, { id: vm.id, tailLines: lines })
}

class LogFollower implements AsyncIterableIterator<VmLogUpdate> {
  readonly #context: FollowLogContext
  readonly #changes: ReturnType<Hub['subscribe']>
  readonly #news: AsyncGenerator<VmLogUpdate, undefined>
  readonly #id: string
  #stream: GuestLogStream | null = null
  #isOver = false

  constructor(context: FollowLogContext, { id, tailLines }: { id: string; tailLines: number }) {
    const { berth, hub, scope, userId } = context
    if (!berth.logFollowers.acquire({ userId, tenantId: null }))
      throw new Fault('too_many_requests', messageOf('vm.logs_limited', { most: followersPerUser }))
    this.#context = context
    this.#id = id
    this.#changes = hub.subscribe({ scope, kinds: ['vm'] })
    this.#news = this.#follow(tailLines)
  }

  next(): Promise<IteratorResult<VmLogUpdate, undefined>> {
    return this.#news.next().then(
      (result) => (result.done ? this.return() : result),
      async (error: unknown) => {
        await this.return()
        throw error
      },
    )
  }

  /**
   * The sources of the generator are closed first. Otherwise it could end only after the next
   * event.
   */
  return(): Promise<IteratorResult<VmLogUpdate, undefined>> {
    if (!this.#isOver) {
      this.#isOver = true
      this.#changes.close()
      this.#stream?.close()
      const { berth, userId } = this.#context
      berth.logFollowers.release({ userId, tenantId: null })
    }
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async *#follow(tailLines: number): AsyncGenerator<VmLogUpdate, undefined> {
    let reported: LogReason | null = null
    let readPod = ''
    for (
      let vm = await this.#read();
      vm;
      vm = (await this.#changed()) ? await this.#read() : null
    ) {
      const stream = await this.#openAfter(readPod, vm, tailLines)
      if (typeof stream === 'string') {
        if (stream !== reported) yield { ...nothing, reason: (reported = stream) }
        continue
      }
      reported = null
      for await (const news of this.#lines(stream)) {
        readPod = stream.vmi.pod
        yield news
      }
    }
  }

  /**
   * Continues behind the output of a pod that was read before. Of another pod, everything is new.
   */
  async #openAfter(
    readPod: string,
    vm: VmView,
    tailLines: number,
  ): Promise<GuestLogStream | LogReason> {
    const stream = await this.#open(vm, readPod === '' ? tailLines : maxLines)
    if (typeof stream === 'string' || stream.vmi.pod !== readPod) return stream
    stream.close()
    return this.#open(vm, 0)
  }

  async *#lines(stream: GuestLogStream): AsyncGenerator<VmLogUpdate> {
    this.#stream = stream
    const lines = new GuestLines()
    let hasOutput = false
    let reported = ''
    for await (const bytes of stream.bytes) {
      hasOutput = true
      const completeLines = lines.push(bytes)
      const { unfinished } = lines
      if (completeLines.length > 0 || unfinished !== reported)
        yield { lines: completeLines, unfinished, live: true, reason: null }
      reported = unfinished
    }
    this.#stream = null
    if ((await stream.closed) === 'lost')
      throw new Fault('cluster_unavailable', messageOf('vm.log_lost'))
    if (hasOutput) yield { ...nothing, lines: lines.end() }
  }

  async #open(vm: VmView, tailLines: number): Promise<GuestLogStream | LogReason> {
    const { streams } = this.#context.berth
    const stream = await liveLogOf(this.#context.berth, vm, (ref) =>
      streams.followGuestLog(ref, { tailLines }),
    )
    if (this.#isOver && typeof stream !== 'string') stream.close()
    return stream
  }

  #read(): Promise<VmView | null> {
    return this.#isOver
      ? Promise.resolve(null)
      : this.#context.berth.reads(this.#context.scope).vms.find(this.#id)
  }

  /** Waits for a change of the VM. False when no more changes will come. */
  async #changed(): Promise<boolean> {
    for (let next = await this.#changes.next(); !next.done; next = await this.#changes.next())
      if (next.value.gap || next.value.change.objectId === this.#id) return true
    return false
  }
}

/** The maximum number of lines from a boot that begins while the log is followed. */
const maxLines = 5_000
