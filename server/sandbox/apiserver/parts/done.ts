import { type Answer } from '../request.ts'

/** The answer to what was done and is not an object. */
export const done: Answer = {
  status: 201,
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
}
