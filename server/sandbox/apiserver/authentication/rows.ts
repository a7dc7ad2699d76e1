import { builtIn } from '../../kinds/row.ts'
import { anything, each, int, object, structOf, text, texts } from '../../objects/schema.ts'
import { type Resource } from '../../objects/resource.ts'

const group = 'authentication.k8s.io'
const asked = { group, namespaced: false }

/** Questions about who somebody is: answered when they are made, and not stored. */
export const identityRows: readonly Resource[] = [
  builtIn({
    ...asked,
    plural: 'selfsubjectreviews',
    kind: 'SelfSubjectReview',
    schema: object({ status: anything }),
  }),
  builtIn({
    ...asked,
    plural: 'tokenreviews',
    kind: 'TokenReview',
    schema: object({ spec: object({ token: text, audiences: texts }), status: anything }),
  }),
]

/** What a service account is asked for below its name. */
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
