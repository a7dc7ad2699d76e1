import { type SshKeyView } from '../../domain/ssh-key/ssh-key.ts'
import { type Op } from '../../store/op.ts'

/** Takes a key out of those that new VMs can be given; VMs that have it keep it. */
export async function deleteSshKey(op: Op, asked: { id: string }): Promise<{ sshKey: SshKeyView }> {
  const sshKey = await op.sshKeys.remove(asked.id)
  op.changes.note('ssh_key', { ...sshKey, version: sshKey.version + 1 })
  op.audit.about('ssh_key', sshKey)
  return { sshKey }
}
