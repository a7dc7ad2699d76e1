import { builtIn } from '../../kinds/row.ts'
import { anything, each, int, object, structOf, text, texts } from '../../objects/schema.ts'
import { type Resource } from '../../objects/resource.ts'

const group = 'authentication.k8s.io'
const common = { group, namespaced: false }

/**
 * Review kinds for identities. The API server of the sandbox answers them at once and does not
 * store them.
 */
export const identityRows: readonly Resource[] = [
  builtIn({
    ...common,
    plural: 'selfsubjectreviews',
    kind: 'SelfSubjectReview',
    schema: object({ status: anything }),
  }),
  builtIn({
    ...common,
    plural: 'tokenreviews',
    kind: 'TokenReview',
    schema: object({ spec: object({ token: text, audiences: texts }), status: anything }),
  }),
]

/** The kind of the `token` subresource of a service account. */
export const tokenRequests: Resource = builtIn({
  group,
  plural: 'tokenrequests',
  kind: 'TokenRequest',
  schema: object({
    spec: object({
      audiences: texts,
      boundObjectRef: structOf(text, 'kind', 'apiVersion', 'name', 'uid'),
      ...each(int, 'expirationSeconds'),
    }),
    status: anything,
  }),
})
