import type { InjectionKey } from 'vue'

export interface CreateAction {
  label: string
  /** Why the user cannot create one now. */
  whyNot?: string | null
  create(): void
}

/** A list page gives its create action to the empty state of its list. */
export const createActionKey: InjectionKey<CreateAction> = Symbol('create action')
