import { type ObjectWriter } from '../cluster/writer.ts'
import { type WantedAdmission } from '../cluster/writer/wanted-admission.ts'
import { attachmentPolicies, sharedTenantId } from '../domain/network/attachment-policies.ts'

/** They are nobody's: the id of what all share stands where a tenant's and a row's would. */
const owner = { tenantId: sharedTenantId, rowId: sharedTenantId, uid: null } as const

const wanted: readonly WantedAdmission[] = [{ refuses: 'foreignAttachments', sharedTenantId }, { refuses: 'unknownAttachments' }]

/**
 * Makes and corrects what has the cluster refuse VMs, runs and pods in networks of other tenants: a second wall behind Berth's own, for plugins let
 * every namespace attach to everything. Each policy is there before it is bound.
 */
export async function putAttachmentPolicies(writer: Pick<ObjectWriter, 'applyObject'>): Promise<void> {
  for (const as of wanted) {
    const place = { namespace: null, name: attachmentPolicies[as.refuses], ...owner }
    await writer.applyObject({ noun: 'admissionPolicy', ...place, as })
    await writer.applyObject({ noun: 'admissionBinding', ...place, as })
  }
}
