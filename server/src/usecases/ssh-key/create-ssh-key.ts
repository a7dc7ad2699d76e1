import { requireSlug } from '../../engine/model/name.ts'
import { type SshKeyView } from '../../domain/ssh-key/ssh-key.ts'
import { type Secret } from '../../runtime/config/secret.ts'
import { type Op } from '../../store/op.ts'
import { addSshKey } from './add-ssh-key.ts'
import { newSshKeyPair } from './ssh-key-pair.ts'

/** Makes a pair and keeps its public half: the private one is in this answer and nowhere else. */
export async function createSshKey(
  op: Op,
  asked: { name: string },
): Promise<{ sshKey: SshKeyView; privateKeyPem: Secret }> {
  const name = requireSlug(asked.name, 'name')
  const { publicKey: key, privateKeyPem } = newSshKeyPair(name)
  return { sshKey: await addSshKey(op, { name, key }), privateKeyPem }
}
