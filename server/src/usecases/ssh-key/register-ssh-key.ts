import { requirePublicKey } from '../../domain/ssh-key/public-key.ts'
import { type SshKeyView } from '../../domain/ssh-key/ssh-key.ts'
import { type Op } from '../../store/op.ts'
import { addSshKey } from './add-ssh-key.ts'

/** Adds a public key. The caller has the private half. */
export async function registerSshKey(
  op: Op,
  { name, publicKey }: { name: string; publicKey: string },
): Promise<{ sshKey: SshKeyView }> {
  return { sshKey: await addSshKey(op, { name, key: requirePublicKey(publicKey) }) }
}
