import { type SshKeyView } from '../../domain/ssh-key/ssh-key.ts'
import { type Op } from '../../store/op.ts'

/** Deletes a key. VMs that have it keep it. */
export async function deleteSshKey(
  op: Op,
  request: { id: string },
): Promise<{ sshKey: SshKeyView }> {
  const sshKey = await op.sshKeys.remove(request.id)
  op.changes.record('ssh_key', { ...sshKey, version: sshKey.version + 1 })
  op.audit.setTarget('ssh_key', sshKey)
  return { sshKey }
}
