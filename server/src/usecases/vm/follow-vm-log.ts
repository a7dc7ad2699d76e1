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

/** What is new in a machine's log. */
export interface VmLogNews {
  lines: readonly string[]
  /** The line that the guest has begun and not ended; each news replaces it. */
  unfinished: string
  /** More may come of this run. */
  live: boolean
  /** Why nothing comes at the moment; null while the machine runs. */
  reason: LogReason | null
}

const nothing: VmLogNews = { lines: [], unfinished: '', live: false, reason: null }

export interface LogFollowing {
  berth: Berth
  hub: Hub
  scope: Scope
  userId: string
}

/**
 * The machine's log as its guest writes it, through stops and starts, until the machine is gone. It
 * is read no faster than it is taken.
 */
export async function followVmLog(
  following: LogFollowing,
  { tailLines, ...asked }: NamedVm & { tailLines?: number | null },
): Promise<AsyncIterableIterator<VmLogNews>> {
  const lines = requireTailLines(tailLines)
  const vm = await findVm(following.berth.reads(following.scope), asked)
  if (!vm) throw notFound('vm', asked.name ?? asked.id ?? '')
  return new LogFollower(following, { id: vm.id, tailLines: lines })
}

class LogFollower implements AsyncIterableIterator<VmLogNews> {
  readonly #following: LogFollowing
  readonly #changes: ReturnType<Hub['subscribe']>
  readonly #news: AsyncGenerator<VmLogNews, undefined>
  readonly #id: string
  #stream: GuestLogStream | null = null
  #isOver = false

  constructor(following: LogFollowing, { id, tailLines }: { id: string; tailLines: number }) {
    const { berth, hub, scope, userId } = following
    if (!berth.logFollowers.enter({ userId, tenantId: null }))
      throw new Fault('too_many_requests', messageOf('vm.logs_limited', { most: followersPerUser }))
    this.#following = following
    this.#id = id
    this.#changes = hub.subscribe({ scope, kinds: ['vm'] })
    this.#news = this.#follow(tailLines)
  }

  next(): Promise<IteratorResult<VmLogNews, undefined>> {
    return this.#news.next().then(
      (result) => (result.done ? this.return() : result),
      async (error: unknown) => {
        await this.return()
        throw error
      },
    )
  }

  /** What the generator waits for is ended first: else it could not be until something comes. */
  return(): Promise<IteratorResult<VmLogNews, undefined>> {
    if (!this.#isOver) {
      this.#isOver = true
      this.#changes.close()
      this.#stream?.close()
      const { berth, userId } = this.#following
      berth.logFollowers.leave({ userId, tenantId: null })
    }
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async *#follow(tailLines: number): AsyncGenerator<VmLogNews, undefined> {
    let told: LogReason | null = null
    let seenPod = ''
    for (
      let vm = await this.#read();
      vm;
      vm = (await this.#changed()) ? await this.#read() : null
    ) {
      const stream = await this.#openAfter(seenPod, vm, tailLines)
      if (typeof stream === 'string') {
        if (stream !== told) yield { ...nothing, reason: (told = stream) }
        continue
      }
      told = null
      for await (const news of this.#lines(stream)) {
        seenPod = stream.run.pod
        yield news
      }
    }
  }

  /**
   * What was seen of a pod until its stream ended is not told again; of another one everything is
   * news.
   */
  async #openAfter(
    seenPod: string,
    vm: VmView,
    tailLines: number,
  ): Promise<GuestLogStream | LogReason> {
    const stream = await this.#open(vm, seenPod === '' ? tailLines : mostLines)
    if (typeof stream === 'string' || stream.run.pod !== seenPod) return stream
    stream.close()
    return this.#open(vm, 0)
  }

  async *#lines(stream: GuestLogStream): AsyncGenerator<VmLogNews> {
    this.#stream = stream
    const lines = new GuestLines()
    let hasSaid = false
    let told = ''
    for await (const bytes of stream.bytes) {
      hasSaid = true
      const whole = lines.push(bytes)
      const { unfinished } = lines
      if (whole.length > 0 || unfinished !== told)
        yield { lines: whole, unfinished, live: true, reason: null }
      told = unfinished
    }
    this.#stream = null
    if ((await stream.closed) === 'lost')
      throw new Fault('cluster_unavailable', messageOf('vm.log_lost'))
    if (hasSaid) yield { ...nothing, lines: lines.end() }
  }

  async #open(vm: VmView, tailLines: number): Promise<GuestLogStream | LogReason> {
    const { streams } = this.#following.berth
    const stream = await liveLogOf(this.#following.berth, vm, (ref) =>
      streams.followGuestLog(ref, { tailLines }),
    )
    if (this.#isOver && typeof stream !== 'string') stream.close()
    return stream
  }

  #read(): Promise<VmView | null> {
    return this.#isOver
      ? Promise.resolve(null)
      : this.#following.berth.reads(this.#following.scope).vms.find(this.#id)
  }

  /** False when nothing will change any more for this follower. */
  async #changed(): Promise<boolean> {
    for (let next = await this.#changes.next(); !next.done; next = await this.#changes.next())
      if (next.value.gap || next.value.change.objectId === this.#id) return true
    return false
  }
}

/** Of a run that begins while somebody follows, everything. */
const mostLines = 5_000
