import { type Ref, ref } from 'vue'
import { type FaultWords, faultFromProblem } from '../api/fault-words.ts'
import { systemClock } from '../runtime/clock.ts'
import { keepForPage, keptForPage } from '../runtime/page-cookie.ts'
import { forgetEarly, takeAnswer } from './early.ts'
import { deleteSession, fetchGrant, postSession } from './session-requests.ts'
import { createTokenKeeper } from './token-keeper.ts'
import { messagesHeader } from '../words/messages.ts'
import { t } from '../words/t.ts'

const tenantKey = 'berth.tenant'

/**
 * Who is logged in on this page and which tenant they act in. The token never leaves memory; the
 * cookie never enters it.
 */
export class Session {
  readonly state: Ref<'unknown' | 'in' | 'out'> = ref('unknown')
  /** The tenant root chose to act in; null is the viewer's own. */
  readonly tenantId: Ref<string | null> = ref(
    keptForPage('visits') ? sessionStorage.getItem(tenantKey) : null,
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

  /** Whether the cookie of an earlier visit still opens a session; asked once. */
  async start(): Promise<boolean> {
    return this.state.value === 'unknown' ? this.renew() : this.state.value === 'in'
  }

  async login(username: string, password: string): Promise<FaultWords | null> {
    const answer = await postSession({ username, password })
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
    forgetEarly()
    this.tenantId.value = tenantId
    if (tenantId) {
      sessionStorage.setItem(tenantKey, tenantId)
      keepForPage('visits', 'yes')
    } else sessionStorage.removeItem(tenantKey)
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const early = await takeAnswer(init?.body)
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
    keepForPage('visits', null)
    this.state.value = 'out'
  }
}

/** What a stranger sees of a fault that happened on the way back from the identity provider. */
export function loginFaultFromCode(code: string): FaultWords {
  return faultFromProblem(400, {
    code,
    detail: t('The login with your identity provider did not succeed.'),
    remedy: t('Try again ({code}).', { code }),
  })
}
