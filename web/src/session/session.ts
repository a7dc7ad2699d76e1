import { type Ref, ref } from 'vue'
import type { FaultMessage } from '../api/fault-message.ts'
import { systemClock } from '../runtime/clock.ts'
import { savePageSetting, pageSetting } from '../runtime/page-cookie.ts'
import { discardPrefetched, takePrefetchedAnswer } from './prefetched.ts'
import { type Credentials, deleteSession, fetchGrant, postSession } from './session-requests.ts'
import { createTokenKeeper } from './token-keeper.ts'
import { messagesHeader } from '../i18n/messages.ts'

const tenantKey = 'berth.tenant'

/**
 * The user's session on this page, and the tenant in which root acts. The access token stays in
 * memory. Scripts cannot read the session cookie.
 */
export class Session {
  readonly state: Ref<'unknown' | 'in' | 'out'> = ref('unknown')
  /** The tenant in which root acts; null means the viewer's own. */
  readonly tenantId: Ref<string | null> = ref(
    pageSetting('visits') ? sessionStorage.getItem(tenantKey) : null,
  )
  readonly #otherTabs = new BroadcastChannel('berth-session')
  readonly #keeper = createTokenKeeper({
    clock: systemClock,
    fetchGrant,
    onGone: () => (this.state.value = 'out'),
  })

  constructor() {
    this.#otherTabs.addEventListener('message', () => this.#leave())
  }

  /** Restores the session from the cookie, once. True when there is a session. */
  async start(): Promise<boolean> {
    return this.state.value === 'unknown' ? this.renew() : this.state.value === 'in'
  }

  async login(credentials: Credentials): Promise<FaultMessage | null> {
    const answer = await postSession(credentials)
    if (!('accessToken' in answer)) return answer
    this.actIn(null)
    this.#keeper.adopt(answer)
    this.state.value = 'in'
    return null
  }

  async logout() {
    try {
      await deleteSession()
    } finally {
      this.#leave()
      this.#otherTabs.postMessage('left')
    }
  }

  token() {
    return this.#keeper.token()
  }

  async renew(): Promise<boolean> {
    const renewed = await this.#keeper.renew()
    if (renewed) this.state.value = 'in'
    return renewed
  }

  actIn(tenantId: string | null) {
    discardPrefetched()
    this.tenantId.value = tenantId
    if (tenantId) {
      sessionStorage.setItem(tenantKey, tenantId)
      savePageSetting('visits', 'yes')
    } else sessionStorage.removeItem(tenantKey)
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const early = await takePrefetchedAnswer(init?.body)
    if (early) return early
    const answer = await this.#send(input, init)
    if (answer.status !== 401 || !(await this.renew())) return answer
    return this.#send(input, init)
  }

  async #send(input: RequestInfo | URL, init?: RequestInit) {
    const headers = new Headers(init?.headers)
    for (const [name, value] of Object.entries(messagesHeader())) headers.set(name, value)
    const token = await this.#keeper.token()
    if (token) headers.set('authorization', `Bearer ${token}`)
    if (this.tenantId.value) headers.set('x-tenant-id', this.tenantId.value)
    return fetch(input, { ...init, headers })
  }

  #leave() {
    this.#keeper.drop()
    this.actIn(null)
    savePageSetting('visits', null)
    this.state.value = 'out'
  }
}
