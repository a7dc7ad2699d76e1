import type { Client } from '@urql/core'
import {
  type InjectionKey,
  type Ref,
  type ShallowRef,
  computed,
  inject,
  shallowRef,
  watch,
} from 'vue'
import { ChangeFeed } from '../api/change-feed.ts'
import { type FaultWords, faultFromError } from '../api/fault-words.ts'
import { createSocket } from '../api/socket.ts'
import { type ViewerAnswer, viewerDocument } from '../api/viewer.ts'
import { systemClock } from '../runtime/clock.ts'
import { createGraphqlClient } from './client.ts'
import { prefetchedAnswer } from './early.ts'
import { Session } from './session.ts'
import { spoken } from '../words/spoken.ts'
import { t } from '../words/t.ts'

/** Everything a page may need of the outside, made once per browser tab. */
export class Console {
  readonly session = new Session()
  readonly socket = createSocket({
    token: () => this.session.token(),
    tenantId: () => this.session.tenantId.value,
  })
  readonly feed = new ChangeFeed({
    clock: systemClock,
    socket: this.socket,
    renew: () => this.session.renew(),
  })
  readonly client: ShallowRef<Client> = shallowRef(createGraphqlClient(this.session))
  readonly answer: ShallowRef<ViewerAnswer | null> = shallowRef(null)
  readonly fault: Ref<FaultWords | null> = shallowRef(null)
  readonly viewer = computed(() => this.answer.value?.viewer ?? null)
  readonly platform = computed(() => this.answer.value?.platform ?? null)
  readonly isRoot = computed(() => this.viewer.value?.role === 'root')
  /** Set only while root acts in a tenant that is not root's own. */
  readonly visited = computed(() => {
    const viewer = this.viewer.value
    return viewer?.role === 'root' && viewer.tenant && viewer.tenant.id !== viewer.homeTenantId
      ? viewer.tenant
      : null
  })
  #isShown = false

  constructor() {
    this.feed.listen(['user', 'role', 'tenant'], () => void this.loadViewer())
    // The server's sentences on the page are in the language that they were read in.
    watch(
      () => spoken.value.language,
      () => this.feed.touch('all'),
    )
  }

  may(permission: string): boolean {
    const held = this.viewer.value?.permissions ?? []
    return (
      held.includes('*') ||
      held.includes(permission) ||
      (permission.endsWith(':read') && held.includes('*:read'))
    )
  }

  /**
   * Why a button is off for this viewer, or for everybody as the server says; null when it is not.
   */
  whyNot(permission: string, refusal?: string | null): string | null {
    return this.may(permission)
      ? (refusal ?? null)
      : t('Your role does not allow this; ask your administrator')
  }

  async loadViewer(): Promise<boolean> {
    const { data, error } = await this.client.value
      .query(viewerDocument, {}, { requestPolicy: 'network-only' })
      .toPromise()
    this.fault.value = error ? faultFromError(error) : null
    if (!data) return false
    this.answer.value = data
    this.session.state.value = 'in'
    return true
  }

  /**
   * Everything known was known as someone else, or in another tenant: forget it and begin again.
   */
  async begin() {
    if (this.answer.value || this.fault.value) this.end()
    // Who came with the page is who looks at it first; whoever does later is asked for.
    if (!this.#isShown) this.answer.value = prefetchedAnswer(viewerDocument, {})
    if (!this.answer.value) await this.loadViewer()
    if (this.#isShown) this.listen()
  }

  /**
   * From where the viewer was read, so it is not too late however long the first page took to be
   * drawn.
   */
  listen() {
    this.#isShown = true
    this.feed.start(this.answer.value?.changeCursor)
  }

  end() {
    this.feed.stop()
    this.socket.hangUp()
    this.client.value = createGraphqlClient(this.session)
    this.answer.value = null
  }

  async actIn(tenantId: string | null) {
    this.session.actIn(tenantId)
    await this.begin()
  }
}

export const consoleKey: InjectionKey<Console> = Symbol('console')

export function useConsole(): Console {
  const found = inject(consoleKey)
  if (!found) throw new TypeError('useConsole outside of the app')
  return found
}
