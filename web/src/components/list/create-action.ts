import type { InjectionKey } from 'vue'

export interface CreateAction {
  label: string
  /** Why the user cannot create a row now. */
  whyNot?: string | null
  create(): void
}

/** Passes the create action of a list page to the empty state of its list. */
export const createActionKey: InjectionKey<CreateAction> = Symbol('create action')
