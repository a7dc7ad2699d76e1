import { type Ref, onScopeDispose, ref, shallowRef } from 'vue'
import { vmConsoleTicketDocument } from '../../../api/vm/vm-console.ts'
import { useConsole } from '../../../session/console.ts'
import { faultFromError } from '../../../api/fault-message.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { t } from '../../../i18n/t.ts'

export type ConsoleKind = 'serial' | 'vnc'

/** Close codes of temporary failures, after which the console reconnects by itself. */
const temporary = new Set([1001, 1006, 1011, 1013, 4411, 4412])
const mostTries = 6
const lost = () => t('The connection was lost; open the console again.')

/**
 * Connects a VM console: gets a ticket, opens a socket, and reconnects after temporary failures.
 * The guest sends first, so the component that shows its output is loaded before the socket opens.
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
  let attempt = 0
  let cancelTimer = () => {}

  async function open() {
    leave()
    state.value = 'connecting'
    const [requestedKind, current] = [kind.value, attempt]
    await load[requestedKind]()
    const { data, error } = await berth.client.value
      .mutation(vmConsoleTicketDocument, { input: { id, kind: requestedKind } })
      .toPromise()
    // The console was closed or reopened during the request. A guest allows one connection only.
    if (current !== attempt) return
    if (error) return end(faultFromError(error).sentence)
    const ticket = data?.createVmConsoleTicket
    if (!ticket) return end(null)
    const { url, protocol } = ticket
    follow(new WebSocket(onThisHost(url), [protocol]))
  }

  function follow(webSocket: WebSocket) {
    webSocket.binaryType = 'arraybuffer'
    webSocket.addEventListener('open', () => {
      tries = 0
      why.value = null
      state.value = 'open'
    })
    webSocket.addEventListener('close', ({ code, reason }) => {
      if (socket.value !== webSocket) return
      socket.value = null
      if (!temporary.has(code) || tries >= mostTries) return end(reason || lost())
      state.value = 'connecting'
      why.value = reason || null
      cancelTimer = systemClock.after(Math.min(8_000, 500 * 2 ** tries++), () => void open())
    })
    socket.value = webSocket
  }

  function end(sentence: string | null) {
    state.value = 'closed'
    why.value = sentence
  }

  function leave() {
    attempt++
    cancelTimer()
    const webSocket = socket.value
    socket.value = null
    if (webSocket) onceOpened(webSocket, () => webSocket.close())
  }
  onScopeDispose(leave)
  return { socket, state, why, open, leave }
}

/** Runs `act` once the socket has opened. Browsers log an error when a connecting socket closes. */
export function onceOpened(webSocket: WebSocket, act: () => void) {
  if (webSocket.readyState === WebSocket.CONNECTING) webSocket.addEventListener('open', act)
  else act()
}

// The page may use another host name than the server's configured one, and its CSP allows
// connections to its own host only.
function onThisHost(url: string): string {
  const { pathname, search } = new URL(url)
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${pathname}${search}`
}
