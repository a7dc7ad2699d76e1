import { type Ref, onScopeDispose, ref, shallowRef } from 'vue'
import { vmConsoleTicketDocument } from '../../../api/vm/vm-console.ts'
import { useConsole } from '../../../session/console.ts'
import { faultFromError } from '../../../api/fault-words.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { t } from '../../../words/t.ts'

export type ConsoleKind = 'serial' | 'vnc'

/** Ends that are nobody's wish: the console is opened again by itself. */
const passing = new Set([1001, 1006, 1011, 1013, 4411, 4412])
const mostTries = 6
const lost = () => t('The connection was lost; open the console again.')

/**
 * A line into a guest: a ticket, a socket, and what to say and do when it ends. The guest speaks
 * first, so what shows it is loaded before the socket is opened.
 */
export function useConsoleSocket(
  id: string,
  kind: Ref<ConsoleKind>,
  load: Record<ConsoleKind, () => Promise<unknown>>,
) {
  const berth = useConsole()
  const socket = shallowRef<WebSocket | null>(null)
  const state: Ref<'connecting' | 'open' | 'closed'> = ref('connecting')
  const why = ref<string | null>(null)
  let tries = 0
  let visit = 0
  let callOff = () => {}

  async function open() {
    leave()
    state.value = 'connecting'
    const [asked, current] = [kind.value, visit]
    await load[asked]()
    const { data, error } = await berth.client.value
      .mutation(vmConsoleTicketDocument, { input: { id, kind: asked } })
      .toPromise()
    // Whoever has left meanwhile must not hold the guest's only line.
    if (current !== visit) return
    if (error || !data) return end(error ? faultFromError(error).sentence : null)
    const { url, protocol } = data.createVmConsoleTicket
    hear(new WebSocket(onThisHost(url), [protocol]))
  }

  function hear(line: WebSocket) {
    line.binaryType = 'arraybuffer'
    line.addEventListener('open', () => {
      tries = 0
      why.value = null
      state.value = 'open'
    })
    line.addEventListener('close', ({ code, reason }) => {
      if (socket.value !== line) return
      socket.value = null
      if (!passing.has(code) || tries >= mostTries) return end(reason || lost())
      state.value = 'connecting'
      why.value = reason || null
      callOff = systemClock.after(Math.min(8_000, 500 * 2 ** tries++), () => void open())
    })
    socket.value = line
  }

  function end(sentence: string | null) {
    state.value = 'closed'
    why.value = sentence
  }

  function leave() {
    visit++
    callOff()
    const line = socket.value
    socket.value = null
    if (line) onceOpened(line, () => line.close())
  }
  onScopeDispose(leave)
  return { socket, state, why, open, leave }
}

/** A browser complains of a socket that is closed while it is being opened. */
export function onceOpened(line: WebSocket, act: () => void) {
  if (line.readyState === WebSocket.CONNECTING) line.addEventListener('open', act)
  else act()
}

// The page may be open under another name than the one the server knows itself by, and may connect
// to its own only.
function onThisHost(url: string): string {
  const { pathname, search } = new URL(url)
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${pathname}${search}`
}
