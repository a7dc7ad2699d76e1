import { type Ref, computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import {
  type LogNews,
  type VmLog,
  type VmLogReason,
  vmLogDocuments,
} from '../../../api/vm/vm-log.ts'
import { type Console, useConsole } from '../../../session/console.ts'
import { type FaultMessage, faultFromError } from '../../../api/fault-message.ts'
import { systemClock } from '../../../runtime/clock.ts'

/** The page shows the last lines only. The download has more. */
const mostLines = 2_000
const againMs = 2_000

const noText: { ended: readonly string[]; unfinished: string } = { ended: [], unfinished: '' }

/** Reads the log of one boot of a VM. The log of the current boot is followed as it grows. */
export function useVmLog(id: string, boot: Ref<number>) {
  const berth = useConsole()
  const log = new BootLog()
  let stop = () => {}

  async function read(tailLines: number) {
    const variables = { id, boot: boot.value, tailLines }
    const { data, error } = await berth.client.value
      .query(vmLogDocuments.read, variables, { requestPolicy: 'network-only' })
      .toPromise()
    log.fault.value = error ? faultFromError(error) : null
    return data?.vmLog ?? null
  }

  async function open() {
    const requestedBoot = boot.value
    log.loading.value = true
    const answer = await read(mostLines)
    if (requestedBoot === boot.value) log.open(answer)
  }

  function start() {
    stop()
    log.clear()
    void open()
    const listener: LogListener = {
      news: (news, isFirst) => log.append(news, isFirst),
      refused: (fault) => (log.fault.value = fault),
      disconnected: start,
    }
    stop = boot.value === 0 ? followLog(berth, id, listener) : () => {}
  }
  watch(boot, start, { immediate: true })
  onScopeDispose(() => stop())
  const { lines, reason, fault, keptBoots, loading } = log
  return { lines, reason, fault, keptBoots, loading, all: () => read(5_000), again: start }
}

/** The log of one boot as it is shown: read once, then extended by the subscription. */
class BootLog {
  readonly #text = shallowRef(noText)
  readonly reason: Ref<VmLogReason | null> = ref(null)
  readonly fault: Ref<FaultMessage | null> = shallowRef(null)
  readonly keptBoots = ref(0)
  readonly loading = ref(true)
  #isFollowed = false

  readonly lines = computed(() => {
    const { ended, unfinished } = this.#text.value
    return unfinished ? [...ended, unfinished] : ended
  })

  clear() {
    this.#isFollowed = false
    this.#text.value = noText
    this.reason.value = null
  }

  open(log: VmLog | null) {
    this.loading.value = false
    if (!log) return
    this.keptBoots.value = log.keptBoots
    // The lines of the subscription are newer than this result.
    if (this.#isFollowed) return
    this.reason.value = log.reason
    this.#text.value = { ...noText, ended: log.lines }
  }

  append(news: LogNews, isFirst: boolean) {
    this.loading.value = false
    this.fault.value = null
    this.reason.value = news.reason
    this.#isFollowed ||= news.live
    const ended = isFirst ? news.lines : [...this.#text.value.ended, ...news.lines]
    this.#text.value = { ended: ended.slice(-mostLines), unfinished: news.unfinished }
  }
}

interface LogListener {
  /** The first event repeats the last lines. Later events have only new lines. */
  news(news: LogNews, isFirst: boolean): void
  refused(fault: FaultMessage): void
  disconnected(): void
}

function followLog(berth: Console, id: string, listener: LogListener): () => void {
  let isFirst = true
  let cancelTimer = () => {}
  const unsubscribe = berth.socket.subscribe(
    { document: vmLogDocuments.follow, variables: { id, tailLines: mostLines } },
    {
      next({ vmLogAppended: news }) {
        listener.news(news, isFirst && news.live)
        if (news.live) isFirst = false
      },
      refused: (fault) => listener.refused(fault),
      disconnected: () => (cancelTimer = systemClock.after(againMs, () => listener.disconnected())),
    },
  )
  return () => {
    unsubscribe()
    cancelTimer()
  }
}
