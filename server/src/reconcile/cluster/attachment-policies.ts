import { type ObjectWriter } from '../../cluster/writer.ts'
import { type WantedAdmission } from '../../cluster/desired/admission.ts'
import { attachmentPolicies, sharedTenantId } from '../../domain/network/attachment-policies.ts'
import { applyAnew } from './apply-anew.ts'

/** They are nobody's: the id of what all share stands where a tenant's and a row's would. */
const owner = { tenantId: sharedTenantId, rowId: sharedTenantId } as const

const wanted: readonly WantedAdmission[] = [
  { refuses: 'foreignAttachments', sharedTenantId },
  { refuses: 'unknownAttachments' },
]

/**
 * Makes and corrects what has the cluster refuse VMs, runs and pods in networks of other tenants: a
 * second wall behind Berth's own, for plugins let every namespace attach to everything. Each policy
 * is there before it is bound. Whose uid is known is corrected in one call instead of three.
 */
export function attachmentPoliciesIn(
  writer: Pick<ObjectWriter, 'applyObject'>,
): () => Promise<void> {
  const uids = new Map<string, string>()
  const put = async (
    noun: 'admissionPolicy' | 'admissionBinding',
    as: WantedAdmission,
  ): Promise<void> => {
    const name = attachmentPolicies[as.refuses]
    const { uid } = await applyAnew(writer, {
      noun,
      namespace: null,
      name,
      ...owner,
      uid: uids.get(`${noun} ${name}`) ?? null,
      as,
    })
    uids.set(`${noun} ${name}`, uid)
  }
  return async () => {
    for (const as of wanted) {
      await put('admissionPolicy', as)
      await put('admissionBinding', as)
    }
  }
}
