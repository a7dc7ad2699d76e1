import { Fault, type FaultCode } from '../model/fault.ts'

interface FaultWords {
  status: number
  title: string
  /** What a person can do about it. */
  remedy: string
}

/**
 * The one table of refusals: a code without a row does not compile. REST, GraphQL and the sockets
 * all read it.
 */
export const faultTable: Record<FaultCode, FaultWords> = {
  addresses_exhausted: {
    status: 409,
    title: 'No address left',
    remedy: 'Delete a VM that is in the network, or choose another network.',
  },
  already_exists: {
    status: 409,
    title: 'Already exists',
    remedy: 'Choose another name, or use the one that exists.',
  },
  cancelled: { status: 409, title: 'Cancelled', remedy: 'Start it again if it is still wanted.' },
  capacity: {
    status: 503,
    title: 'No capacity',
    remedy: 'Try a smaller size, or ask the operator for more capacity.',
  },
  cidr_exhausted: {
    status: 409,
    title: 'No addresses left',
    remedy: 'Ask for a smaller block, or make another VPC.',
  },
  cidr_overlap: {
    status: 409,
    title: 'Addresses overlap',
    remedy: 'Choose a block that the plan shows as free.',
  },
  cluster_name_conflict: {
    status: 409,
    title: 'Name taken in the cluster',
    remedy: 'Choose another name; something else uses this one.',
  },
  cluster_unavailable: {
    status: 503,
    title: 'Platform temporarily unavailable',
    remedy: 'Wait a moment and try again.',
  },
  conflict: { status: 409, title: 'Conflict', remedy: 'Read it again and repeat the change.' },
  expansion_not_supported: {
    status: 409,
    title: 'Cannot grow here',
    remedy: 'Use a storage class whose volumes can grow.',
  },
  feature_disabled: {
    status: 404,
    title: 'Not enabled here',
    remedy: 'Ask the operator to enable it.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    remedy: 'Ask an administrator of the tenant for the permission.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'Idempotency key reused',
    remedy: 'Send a new Idempotency-Key with a new request.',
  },
  import_failed: {
    status: 409,
    title: 'Import failed',
    remedy: 'Correct what is named and retry the import.',
  },
  in_use: { status: 409, title: 'In use', remedy: 'Remove what uses it first.' },
  internal: {
    status: 500,
    title: 'Something went wrong here',
    remedy: 'Try again; if it stays, report the request id.',
  },
  invalid_credentials: {
    status: 401,
    title: 'Wrong username or password',
    remedy: 'Check both and try again.',
  },
  invalid_input: { status: 400, title: 'Invalid input', remedy: 'Correct the named fields.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    remedy: 'Use one of the methods named in Allow.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    remedy: 'Leave Accept out, or name application/json in it.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    remedy: 'Check the name or id, and the tenant you act in.',
  },
  overloaded: {
    status: 503,
    title: 'Busy',
    remedy: 'Wait as long as Retry-After says and try again.',
  },
  payload_too_large: {
    status: 413,
    title: 'Request too large',
    remedy: 'Send less in one request.',
  },
  platform_error: {
    status: 500,
    title: 'The platform is misconfigured',
    remedy: 'Report the request id to the operator.',
  },
  query_refused: { status: 400, title: 'Query refused', remedy: 'Ask for less in one query.' },
  quota_exceeded: {
    status: 409,
    title: 'Quota exceeded',
    remedy: 'Free something, or ask for a larger quota.',
  },
  read_only: {
    status: 403,
    title: 'Read only',
    remedy: 'This belongs to the platform and cannot be changed here.',
  },
  snapshots_not_supported: {
    status: 409,
    title: 'No snapshots of volumes here',
    remedy: 'Take a snapshot of the VM, or use a storage class that supports snapshots.',
  },
  superseded: {
    status: 409,
    title: 'Superseded',
    remedy: 'A newer request has replaced this one.',
  },
  template_not_ready: {
    status: 409,
    title: 'Template is not ready',
    remedy: 'Wait until its import has ended, or choose another template.',
  },
  template_read_only: {
    status: 403,
    title: 'Template of the platform',
    remedy: 'Create a template of your own instead.',
  },
  tenant_deleting: { status: 409, title: 'Tenant is being deleted', remedy: 'Use another tenant.' },
  tenant_forbidden: {
    status: 403,
    title: 'Not your tenant',
    remedy: 'Leave out X-Tenant-ID, or name a tenant you belong to.',
  },
  tenant_not_ready: {
    status: 409,
    title: 'Tenant is not ready',
    remedy: 'Wait until the tenant is active.',
  },
  tenant_required: {
    status: 400,
    title: 'Tenant required',
    remedy: 'Name the tenant in X-Tenant-ID.',
  },
  timeout: { status: 504, title: 'Took too long', remedy: 'Look at the operation, and try again.' },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    remedy: 'Wait as long as Retry-After says and try again.',
  },
  unauthenticated: { status: 401, title: 'Not logged in', remedy: 'Log in and send the token.' },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported content type',
    remedy: 'Send application/json.',
  },
  unsupported_version: {
    status: 409,
    title: 'Version no longer supported',
    remedy: 'Start it again.',
  },
  version_conflict: {
    status: 409,
    title: 'Changed meanwhile',
    remedy: 'Read it again and repeat the change.',
  },
  wrong_state: {
    status: 409,
    title: 'Not possible in this state',
    remedy: 'Wait for the state that is named.',
  },
}

/**
 * Whatever was thrown, as a refusal. What is no refusal is a bug: the caller learns only the
 * request id.
 */
export function faultFrom(thrown: unknown): Fault {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; depth++) {
    if (error instanceof Fault) return error
    error = originalOf(error)
  }
  return new Fault(
    'internal',
    'An unexpected error occurred; it has been recorded under the request id.',
    { cause: thrown },
  )
}

/** GraphQL wraps what a resolver threw and keeps it as `originalError`. */
function originalOf(error: Error): unknown {
  return 'originalError' in error && error.originalError ? error.originalError : error.cause
}

/** For doors that may not know the domain: one field is wrong. */
export function invalidInput(path: string, message: string): Fault {
  return new Fault('invalid_input', `${path} ${message}`, { fields: [{ path, message }] })
}

export function refusal(code: FaultCode, sentence: string): Fault {
  return new Fault(code, sentence)
}
