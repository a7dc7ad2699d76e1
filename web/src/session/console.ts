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
import { type FaultMessage, faultFromError } from '../api/fault-message.ts'
import { createSocket } from '../api/socket.ts'
import { type ViewerAnswer, viewerDocument } from '../api/viewer.ts'
import { systemClock } from '../runtime/clock.ts'
import { createGraphqlClient } from './client.ts'
import { prefetchedAnswer } from './prefetched.ts'
import { Session } from './session.ts'
import { activeLocale } from '../i18n/active-locale.ts'
import { t } from '../i18n/t.ts'

/** The services that pages use: session, client, socket and change feed. One per browser tab. */
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
  readonly fault: Ref<FaultMessage | null> = shallowRef(null)
  readonly viewer = computed(() => this.answer.value?.viewer ?? null)
  readonly platform = computed(() => this.answer.value?.platform ?? null)
  readonly isRoot = computed(() => this.viewer.value?.role === 'root')
  /** Set only while root acts in a tenant that is not root's own. */
  readonly actingTenant = computed(() => {
    const viewer = this.viewer.value
    return viewer?.role === 'root' && viewer.tenant && viewer.tenant.id !== viewer.homeTenantId
      ? viewer.tenant
      : null
  })
  #isShown = false

  constructor() {
    this.feed.listen(['user', 'role', 'tenant'], () => {
      // The language of the login page can change, too.
      if (this.session.state.value === 'in') void this.loadViewer()
    })
    // Messages of the server stay in the language in which they were fetched, so all are refetched.
    watch(
      () => activeLocale.value.language,
      () => this.feed.invalidate('all'),
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
   * Returns why an action is disabled: the viewer lacks the permission, or the server refuses it.
   * Null when it is enabled.
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

  /** Discards the data of the previous viewer or tenant and loads the current viewer. */
  async begin() {
    if (this.answer.value || this.fault.value) this.end()
    // The prefetched result is valid for the first page only. Later calls query the server.
    if (!this.#isShown) this.answer.value = prefetchedAnswer(viewerDocument, {})
    if (!this.answer.value) await this.loadViewer()
    if (this.#isShown) this.listen()
  }

  /**
   * Starts the change feed from the cursor of the viewer's result, so that no change is missed
   * while the first page is drawn.
   */
  listen() {
    this.#isShown = true
    this.feed.start(this.answer.value?.changeCursor)
  }

  end() {
    this.feed.stop()
    this.socket.disconnect()
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
  if (!found) throw new TypeError('useConsole was called outside the app.')
  return found
}
