import { isDeepStrictEqual } from 'node:util'
import { type WebhookRequest } from '../objects/resource.ts'
import { ApiError } from '../objects/status.ts'
import { type KubeObject } from '../objects/types.ts'
import { isFinalMigration } from '../objects/migrations/state.ts'
import { migrationKeys, migrationKind } from '../objects/migrations/names.ts'
import { read } from '../objects/read.ts'
import { conditionOf } from '../objects/vms/conditions.ts'
import { vmiKind } from '../objects/vms/kinds.ts'
import { isFinal } from '../objects/vms/phase.ts'
import { unreadable } from './refusals.ts'

const creating = 'migration-create-validator.kubevirt.io'
const updating = 'migration-update-validator.kubevirt.io'

/** Adds the finalizer of a migration, and the label with the name of its VMI. */
export function admitMigration({ object, old }: WebhookRequest): KubeObject {
  if (old) return object
  const { finalizers = [], labels = {} } = object.metadata
  const vmiName = read.text(read.spec(object).vmiName)
  return {
    ...object,
    metadata: {
      ...object.metadata,
      finalizers: [...new Set([...finalizers, migrationKeys.finalizer])],
      ...(vmiName === '' ? {} : { labels: { ...labels, [migrationKeys.vmi]: vmiName } }),
    },
  }
}

export function reviewMigration(request: WebhookRequest): void {
  const { object, old } = request
  if (!old) return reviewNew(request)
  if (isDeepStrictEqual(old.spec, object.spec)) return
  throw invalid(updating, {
    reason: 'FieldValueNotSupported',
    message: "update of Migration object's spec is restricted",
  })
}

function reviewNew({ object, user, get, list }: WebhookRequest): void {
  const { vmiName, priority } = read.spec(object)
  const name = read.text(vmiName)
  const { namespace = '' } = object.metadata
  if (name === '')
    throw invalid(creating, {
      reason: 'FieldValueRequired',
      message: 'vmiName is missing',
      field: 'spec.vmiName',
    })
  if (priority !== undefined && !user.name.startsWith('system:serviceaccount:kubevirt:')) {
    const message =
      'Migration priority queue, only virt-controller is allowed to set priority field'
    throw invalid(creating, {
      reason: 'FieldValueForbidden',
      message,
      field: 'spec.migrationPriority',
    })
  }
  const vmi = get(vmiKind, namespace, name)
  if (!vmi) throw unreadable(creating, `the VMI "${namespace}/${name}" does not exist`)
  if (isFinal(vmi)) throw unreadable(creating, 'Cannot migrate VMI in finalized state.')
  const migratable = conditionOf(vmi, 'LiveMigratable')
  if (migratable?.status === 'False')
    throw unreadable(
      creating,
      `Cannot migrate VMI, Reason: ${read.text(migratable.reason)}, Message: ${read.text(migratable.message)}`,
    )
  const active = list(migrationKind, namespace).find(
    (each) => read.spec(each).vmiName === name && !isFinalMigration(each),
  )
  if (!active) return
  const job = `Active migration job (${active.metadata.uid}) is currently already in progress for VMI ${name}.`
  throw unreadable(creating, `in-flight migration detected. ${job}`)
}

function invalid(
  webhook: string,
  cause: { reason: string; message: string; field?: string },
): ApiError {
  const message = `admission webhook "${webhook}" denied the request: ${cause.message}`
  // A cause without a field stays without one in the response.
  return new ApiError({
    status: 422,
    reason: 'Invalid',
    message,
    details: { causes: [{ ...cause }] },
  })
}
