/** Who asks. */
export interface Subject {
  user: string
  groups: readonly string[]
}

/** What somebody wants to do: to a resource, or to a path that is none. */
export type Attributes =
  { verb: string; group: string; resource: string; subresource: string; namespace: string; name: string } | { verb: string; path: string }

export interface Verdict {
  allowed: boolean
  /** By which rule; not told to those who may do everything. */
  reason?: string
}

/** The one place that decides. Until roles are evaluated, those may do everything who may always do so, and others nothing. */
export const may = ({ groups }: Subject, _attributes: Attributes): Verdict => ({ allowed: groups.includes('system:masters') })

/** The administrator's credentials are all that is given out. */
export const subjectOf = (user: string): Subject => ({
  user,
  groups: [...(user === 'kubernetes-admin' ? ['system:masters'] : []), 'system:authenticated'],
})
