import { object, list, orNull } from '../../../engine/rest/json-schema.ts'
import { RequestBody } from '../../../engine/rest/request-body.ts'
import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'

const { flag, text, time, whole } = scalar

const path = '/api/v1/auth/second-factor'
const noStore = { 'cache-control': 'no-store' }

const secondFactor = new ResponseShape('SecondFactor', {
  confirmed_at: orNull(time),
  recovery_codes_left: whole,
  is_available: flag,
  is_required: flag,
})

const begun = new ResponseShape('BeginSecondFactorPayload', { secret: text, url: text })

const confirmed = new ResponseShape('ConfirmSecondFactorPayload', { recovery_codes: list(text) })

const renewed = new ResponseShape('RenewRecoveryCodesPayload', { recovery_codes: list(text) })

const proof = new RequestBody({ password: text, code: text })

interface Answer {
  answer: object
}

/** Declares a change of the caller's second factor. */
const change = (
  summary: string,
  mutation: string,
  { at, request, response }: { at: string; request: RequestBody; response: ResponseShape },
): RestRoute =>
  route<Answer>({
    method: 'POST',
    path: `${path}${at}`,
    summary,
    tag: 'Login',
    run: `mutation ${mutation}($input: ${mutation}Input!) {
      answer: ${mutation.charAt(0).toLowerCase()}${mutation.slice(1)}(input: $input) { ${response.selection} } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ answer }) => response.toWire(answer),
    status: 200,
    headers: noStore,
    request,
    response: response.schema,
  })

export const secondFactorRoutes: RestRoute[] = [
  route<{ viewer: { second_factor: object } }>({
    method: 'GET',
    path,
    summary: 'Get the second factor of the logged-in user',
    tag: 'Login',
    run: `query GetSecondFactor { viewer { second_factor: secondFactor { ${secondFactor.selection} } } }`,
    input: () => ({}),
    output: ({ viewer }) => secondFactor.toWire(viewer.second_factor),
    status: 200,
    headers: noStore,
    response: secondFactor.schema,
  }),
  change('Get the secret of a new second factor', 'BeginSecondFactor', {
    at: '',
    request: new RequestBody({ password: text }),
    response: begun,
  }),
  change('Confirm the second factor with its first code', 'ConfirmSecondFactor', {
    at: '/confirm',
    request: new RequestBody({ code: text }),
    response: confirmed,
  }),
  change('Replace the recovery codes', 'RenewRecoveryCodes', {
    at: '/recovery-codes',
    request: proof,
    response: renewed,
  }),
  route<object>({
    method: 'POST',
    path: `${path}/disable`,
    summary: 'Remove the second factor of the logged-in user',
    tag: 'Login',
    run: `mutation DisableSecondFactor($input: DisableSecondFactorInput!) {
      disableSecondFactor(input: $input) { user { id } } }`,
    input: ({ body }) => ({ input: body }),
    output: () => null,
    status: 204,
    request: proof,
    response: null,
  }),
  route<{ answer: { tenant: { requiresSecondFactor: boolean } } }>({
    method: 'PATCH',
    path: '/api/v1/second-factor',
    summary: 'Require a second factor of the users of the tenant, or no longer',
    tag: 'Users',
    run: `mutation RequireSecondFactor($input: RequireSecondFactorInput!) {
      answer: requireSecondFactor(input: $input) { tenant { requiresSecondFactor } } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ answer }) => ({ required: answer.tenant.requiresSecondFactor }),
    status: 200,
    request: new RequestBody({ required: flag }),
    response: object({
      required: {
        ...flag,
        description: 'True when each user of the tenant with a password needs a second factor.',
      },
    }),
  }),
]
