import { type Ref, computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import { type LogNews, type VmLogReason, vmLogDocuments } from '../../../api/vm/vm-log.ts'
import { type Console, useConsole } from '../../../session/console.ts'
import { type FaultWords, faultFromError } from '../../../api/fault-words.ts'
import { systemClock } from '../../../runtime/clock.ts'

/** What is kept on the page; the whole can be downloaded. */
const mostLines = 2_000
const againMs = 2_000

const noText: { ended: readonly string[]; unfinished: string } = { ended: [], unfinished: '' }

/** The lines of one boot of a machine; of the present one those that come, too. */
export function useVmLog(id: string, boot: Ref<number>) {
  const berth = useConsole()
  const text = shallowRef(noText)
  const lines = computed(() =>
    text.value.unfinished ? [...text.value.ended, text.value.unfinished] : text.value.ended,
  )
  const reason: Ref<VmLogReason | null> = ref(null)
  const fault: Ref<FaultWords | null> = shallowRef(null)
  const keptBoots = ref(0)
  const loading = ref(true)
  let stop = () => {}
  let isTold = false

  async function read(tailLines: number) {
    const { data, error } = await berth.client.value
      .query(
        vmLogDocuments.read,
        { id, boot: boot.value, tailLines },
        { requestPolicy: 'network-only' },
      )
      .toPromise()
    fault.value = error ? faultFromError(error) : null
    return data?.vmLog ?? null
  }

  async function open() {
    const asked = boot.value
    loading.value = true
    const log = await read(mostLines)
    if (asked !== boot.value) return
    loading.value = false
    if (!log) return
    keptBoots.value = log.keptBoots
    // What was told by the follower meanwhile is newer.
    if (isTold) return
    reason.value = log.reason
    text.value = { ...noText, ended: log.lines }
  }

  function take(news: LogNews, isFirst: boolean) {
    loading.value = false
    fault.value = null
    reason.value = news.reason
    isTold ||= news.live
    const ended = isFirst ? news.lines : [...text.value.ended, ...news.lines]
    text.value = { ended: ended.slice(-mostLines), unfinished: news.unfinished }
  }

  function start() {
    stop()
    isTold = false
    text.value = noText
    reason.value = null
    void open()
    stop =
      boot.value === 0
        ? followLog(berth, id, {
            news: take,
            refused: (words) => (fault.value = words),
            down: start,
          })
        : () => {}
  }
  watch(boot, start, { immediate: true })
  onScopeDispose(() => stop())
  return { lines, reason, fault, keptBoots, loading, all: () => read(5_000), again: start }
}

interface LogHearer {
  /** The first brings the last lines once more; from there on it is only what is new. */
  news(news: LogNews, isFirst: boolean): void
  refused(fault: FaultWords): void
  down(): void
}

function followLog(berth: Console, id: string, hearer: LogHearer): () => void {
  let isFirst = true
  let callOff = () => {}
  const hangUp = berth.socket.subscribe(
    { document: vmLogDocuments.follow, variables: { id, tailLines: mostLines } },
    {
      next({ vmLogAppended: news }) {
        hearer.news(news, isFirst && news.live)
        if (news.live) isFirst = false
      },
      refused: (fault) => hearer.refused(fault),
      down: () => (callOff = systemClock.after(againMs, () => hearer.down())),
    },
  )
  return () => {
    hangUp()
    callOff()
  }
}
