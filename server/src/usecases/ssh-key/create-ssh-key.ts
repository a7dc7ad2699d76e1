import { requireName } from '../../engine/model/name.ts'
import { type SshKeyView } from '../../domain/ssh-key/ssh-key.ts'
import { type Secret } from '../../runtime/config/secret.ts'
import { type Op } from '../../store/op.ts'
import { addSshKey } from './add-ssh-key.ts'
import { newSshKeyPair } from './ssh-key-pair.ts'

/**
 * Creates a key pair and stores its public half. The private half is in this response and nowhere
 * else.
 */
export async function createSshKey(
  op: Op,
  request: { name: string },
): Promise<{ sshKey: SshKeyView; privateKeyPem: Secret }> {
  const name = requireName(request.name, 'name')
  const { publicKey: key, privateKeyPem } = newSshKeyPair(name)
  return { sshKey: await addSshKey(op, { name, key }), privateKeyPem }
}
