import { type JsonMap } from '../../objects/types.ts'

/** A row of a table of roles; its lists are words in one text. */
export interface RoleRow {
  name: string
  labels?: Record<string, string>
  rules?: readonly JsonMap[]
  /** The label of the roles of which it is the sum. */
  sumOf?: string
  /** The groups that everybody in them gets it by. */
  boundTo?: readonly string[]
}

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)

export const verbs = {
  read: 'get list watch',
  write: 'create delete deletecollection patch update',
  all: 'create delete deletecollection get list patch update watch',
}

export const rule = (verbsText: string, group: string, resources: string): JsonMap => ({
  verbs: words(verbsText),
  apiGroups: [group],
  resources: words(resources),
})

/** The same for subresources of one kind. */
export const below = (plural: string, names: string): string =>
  words(names)
    .map((name) => `${plural}/${name}`)
    .join(' ')

export const paths = (verbsText: string, urls: string): JsonMap => ({
  verbs: words(verbsText),
  nonResourceURLs: words(urls),
})
