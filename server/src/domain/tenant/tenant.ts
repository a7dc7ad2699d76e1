import { type Message } from '../../engine/model/message.ts'

export const tenantStates = ['creating', 'active', 'deleting', 'failed'] as const
export type TenantState = (typeof tenantStates)[number]

/** A tenant as clients see it: an isolated customer with a namespace, users and a quota. */
export interface TenantView {
  id: string
  name: string
  slug: string
  namespace: string
  description: string
  state: TenantState
  stateReason: Message | null
  externalUuid: string | null
  importSource: string | null
  /** True when each user of the tenant with a password needs a second factor. */
  requiresSecondFactor: boolean
  version: number
  createdAt: string
  updatedAt: string
}
