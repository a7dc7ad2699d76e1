import { type Answer } from '../request.ts'

/** The response to an action that returns no object. */
export const done: Answer = {
  status: 201,
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
}
