import { expect, test } from 'vitest'
import { faultFromError, faultFromProblem } from './fault-message.ts'

test('a GraphQL refusal keeps the server’s sentence, remedy and request id, and names the form’s fields', () => {
  const extensions = {
    code: 'already_exists',
    remedy: 'Choose another slug.',
    requestId: 'r-1',
    fields: [
      { path: 'input.slug', message: 'Taken' },
      { path: 'input.slug', message: 'second' },
      { path: 7 },
    ],
  }
  const fault = faultFromError({
    message: '[GraphQL] x',
    graphQLErrors: [{ message: 'A tenant with the slug acme exists already', extensions }],
  })
  expect(fault).toEqual({
    code: 'already_exists',
    sentence: 'A tenant with the slug acme exists already',
    remedy: 'Choose another slug.',
    requestId: 'r-1',
    fields: { slug: 'Taken' },
    transient: false,
  })
})

test('a problem document keeps its request id under the name of the REST API', () =>
  expect(
    faultFromProblem(500, { code: 'internal', detail: 'x', request_id: 'r-1' }).requestId,
  ).toBe('r-1'))

test.each([
  {
    name: 'no answer',
    fault: faultFromError({ message: '[Network]', networkError: new TypeError('Failed to fetch') }),
    code: 'unreachable',
    transient: true,
  },
  {
    name: 'an error page of a proxy',
    fault: faultFromProblem(502, null),
    code: 'unreachable',
    transient: true,
  },
  {
    name: 'a bare refusal',
    fault: faultFromProblem(418, 'short and stout'),
    code: 'http_418',
    transient: false,
  },
  {
    name: 'a problem',
    fault: faultFromProblem(401, { code: 'invalid_credentials', detail: 'No.' }),
    code: 'invalid_credentials',
    transient: false,
  },
  {
    name: 'an overload',
    fault: faultFromProblem(503, { code: 'overloaded', detail: 'Busy.' }),
    code: 'overloaded',
    transient: true,
  },
  {
    name: 'a bug',
    fault: faultFromError({ message: 'x', graphQLErrors: [{ message: 'x' }] }),
    code: 'internal',
    transient: false,
  },
])('$name becomes $code', ({ fault, code, transient }) =>
  expect(fault).toMatchObject({ code, transient }),
)
