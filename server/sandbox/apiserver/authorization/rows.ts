import { identityRows } from '../authentication/rows.ts'
import { builtIn } from '../../kinds/row.ts'
import {
  anything,
  each,
  flag,
  list,
  mapOf,
  object,
  structOf,
  text,
  texts,
} from '../../objects/schema.ts'
import { type Resource, type Schema } from '../../objects/resource.ts'

const requirement = object({ ...each(text, 'key', 'operator'), values: texts })
const selector = object({ rawSelector: text, requirements: list(requirement) })
const attributes = {
  resourceAttributes: object({
    ...each(text, 'namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'),
    ...each(selector, 'fieldSelector', 'labelSelector'),
  }),
  nonResourceAttributes: structOf(text, 'path', 'verb'),
}
const status = object({
  ...each(flag, 'allowed', 'denied'),
  ...each(text, 'reason', 'evaluationError'),
})
const subjectReviewSpec = object({
  ...attributes,
  ...each(text, 'user', 'uid'),
  groups: texts,
  extra: mapOf(texts),
})

const review = (kind: string, spec: Schema, more: Partial<Resource> = {}): Resource =>
  builtIn({
    group: 'authorization.k8s.io',
    plural: `${kind.toLowerCase()}s`,
    kind,
    namespaced: false,
    schema: object({ spec, status: kind === 'SelfSubjectRulesReview' ? anything : status }),
    ...more,
  })

/**
 * Review kinds for permissions and identities. The API server of the sandbox answers them at once
 * and does not store them.
 */
export const reviewRows: readonly Resource[] = [
  ...identityRows,
  review('LocalSubjectAccessReview', subjectReviewSpec, { namespaced: true }),
  review('SelfSubjectAccessReview', object(attributes)),
  review('SelfSubjectRulesReview', structOf(text, 'namespace')),
  review('SubjectAccessReview', subjectReviewSpec),
]

export const isReview = (resource: Resource): boolean => reviewRows.includes(resource)

export const reviewAt = (group: string, version: string, plural: string): Resource | undefined =>
  reviewRows.find((row) => row.group === group && row.version === version && row.plural === plural)
