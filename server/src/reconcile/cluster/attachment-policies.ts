import { type ObjectWriter } from '../../cluster/writer.ts'
import { type DesiredAdmission } from '../../cluster/desired/admission.ts'
import { attachmentPolicies, sharedTenantId } from '../../domain/network/attachment-policies.ts'
import { applyOrRecreate } from './apply-or-recreate.ts'

/** The policies belong to no tenant. The shared id stands in for tenant id and row id. */
const owner = { tenantId: sharedTenantId, rowId: sharedTenantId } as const

const desiredPolicies: readonly DesiredAdmission[] = [
  { refuses: 'foreignAttachments', sharedTenantId },
  { refuses: 'unknownAttachments' },
]

/**
 * Returns a function that applies the admission policies which keep VMs, VMIs and pods out of
 * networks of other tenants. They are a second barrier behind Berth's own checks, because CNI
 * plugins let every namespace attach to every network. Each policy exists before its binding. A
 * known uid turns three calls into one.
 */
export function attachmentPolicyApplier(
  writer: Pick<ObjectWriter, 'applyObject'>,
): () => Promise<void> {
  const uids = new Map<string, string>()
  const put = async (
    noun: 'admissionPolicy' | 'admissionBinding',
    as: DesiredAdmission,
  ): Promise<void> => {
    const name = attachmentPolicies[as.refuses]
    const { uid } = await applyOrRecreate(writer, {
      noun,
      namespace: null,
      name,
      ...owner,
      uid: uids.get(`${noun} ${name}`) ?? null,
      spec: as,
    })
    uids.set(`${noun} ${name}`, uid)
  }
  return async () => {
    for (const as of desiredPolicies) {
      await put('admissionPolicy', as)
      await put('admissionBinding', as)
    }
  }
}
