import { type JsonMap } from '../../objects/types.ts'

/**
 * A ClusterRole to create. The verbs and resources of its rules are written as space-separated
 * texts.
 */
export interface RoleRow {
  name: string
  labels?: Record<string, string>
  rules?: readonly JsonMap[]
  /** The `aggregate-to-…` label of the ClusterRoles that this one aggregates. */
  aggregatedFrom?: string
  /** The groups that a ClusterRoleBinding of the same name binds. */
  boundTo?: readonly string[]
}

const splitWords = (text: string): string[] => text.split(/\s+/).filter(Boolean)

export const verbs = {
  read: 'get list watch',
  write: 'create delete deletecollection patch update',
  all: 'create delete deletecollection get list patch update watch',
}

/** Returns a rule of a role for resources of one API group. */
export const rule = (verbsText: string, group: string, resources: string): JsonMap => ({
  verbs: splitWords(verbsText),
  apiGroups: [group],
  resources: splitWords(resources),
})

/** Lists subresources of one kind, such as `pods/exec pods/attach`. */
export const subresourceList = (plural: string, names: string): string =>
  splitWords(names)
    .map((name) => `${plural}/${name}`)
    .join(' ')

export const nonResourceRule = (verbsText: string, urls: string): JsonMap => ({
  verbs: splitWords(verbsText),
  nonResourceURLs: splitWords(urls),
})
