import { type FaultCode, faultCodes } from '../../engine/model/fault.ts'
import { type RestRoute } from '../../engine/rest/route.ts'

/** Returns the codes with which a route can refuse a request, as far as its row tells. */
export const faultsOf = (row: RestRoute): FaultCode[] =>
  faultCodes.filter((code) => isRaisedBy[code](row))

type Rule = (row: RestRoute) => boolean

const always: Rule = () => true
/** Operations end with such a code, and no request is refused with it. */
const neverByRequest: Rule = () => false
const needsLogin: Rule = (row) => row.public !== true
const isWrite: Rule = ({ method }) => method !== 'GET'
const isDeletion: Rule = ({ method, path }) => method === 'DELETE' || path.endsWith('/delete')
const hasInPath =
  (part: string): Rule =>
  ({ path }) =>
    path.includes(part)

/** True for a body with one of these fields. */
const takes =
  (...names: readonly string[]): Rule =>
  ({ request }) =>
    names.some((name) => request?.schema.properties?.[name] !== undefined)

const takesNetwork = takes('network_id', 'network_ids', 'public_ip')
const takesAddresses = takes('cidr', 'prefix')

/** Tells for each code which rows can be refused with it. A missing code does not compile. */
const isRaisedBy: Readonly<Record<FaultCode, Rule>> = {
  addresses_exhausted: takesNetwork,
  already_exists: (row) => row.request !== undefined && isWrite(row) && !isDeletion(row),
  cancelled: neverByRequest,
  capacity: neverByRequest,
  cidr_exhausted: takesAddresses,
  cidr_overlap: (row) => takesAddresses(row) || takesNetwork(row),
  cluster_name_conflict: neverByRequest,
  // A few reads ask the cluster, and a write needs to know what the cluster can do.
  cluster_unavailable: (row) =>
    (isWrite(row) && needsLogin(row)) ||
    ['/logs', '/ssh', '/storage-classes', '/cluster-features'].some((end) =>
      row.path.endsWith(end),
    ),
  conflict: (row) => isWrite(row) && needsLogin(row),
  expansion_not_supported: takes('size_gi'),
  feature_disabled: (row) => takesNetwork(row) || takesAddresses(row) || takes('rules')(row),
  forbidden: needsLogin,
  idempotency_conflict: isWrite,
  import_failed: neverByRequest,
  in_use: (row) => isWrite(row) && needsLogin(row),
  internal: always,
  invalid_credentials: (row) => !needsLogin(row),
  invalid_input: always,
  // The document has no operation for such a method.
  method_not_allowed: () => false,
  not_acceptable: always,
  // The header `X-Tenant-ID` may name a tenant that does not exist.
  not_found: needsLogin,
  overloaded: always,
  payload_too_large: isWrite,
  platform_error: neverByRequest,
  // The documents of the routes are Berth's own.
  query_refused: () => false,
  quota_exceeded: (row) => isWrite(row) && needsLogin(row) && !isDeletion(row),
  read_only: (row) => isWrite(row) && needsLogin(row),
  second_factor_invalid: (row) => !needsLogin(row),
  second_factor_required: (row) => !needsLogin(row),
  snapshots_not_supported: (row) => isWrite(row) && hasInPath('snapshot')(row),
  template_not_ready: (row) =>
    isWrite(row) && (takes('template_id')(row) || hasInPath('/vm-templates')(row)),
  template_read_only: (row) => isWrite(row) && hasInPath('/vm-templates')(row),
  tenant_deleting: (row) => isWrite(row) && needsLogin(row),
  tenant_forbidden: needsLogin,
  tenant_not_ready: (row) => isWrite(row) && needsLogin(row),
  timeout: neverByRequest,
  too_many_requests: always,
  unauthenticated: needsLogin,
  unsupported_media_type: isWrite,
  version_conflict: (row) =>
    row.takesVersion === true || (!isWrite(row) && row.versionOf !== undefined),
  wrong_state: (row) => isWrite(row) && needsLogin(row),
}
