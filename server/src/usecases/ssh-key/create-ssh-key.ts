import { requireName } from '../../engine/model/name.ts'
import { type SshKeyView } from '../../domain/ssh-key/ssh-key.ts'
import { type Secret } from '../../runtime/config/secret.ts'
import { type Op } from '../../store/op.ts'
import { addSshKey } from './add-ssh-key.ts'
import { newSshKeyPair } from './ssh-key-pair.ts'

/**
 * Creates a key pair for a caller who brings none, and adds its public half to the tenant. The
 * private half is only in the response, which a repeat with the same idempotency key gets again.
 */
export async function createSshKey(
  op: Op,
  request: { name: string },
): Promise<{ sshKey: SshKeyView; privateKeyPem: Secret }> {
  const name = requireName(request.name, 'name')
  const { publicKey: key, privateKeyPem } = newSshKeyPair(name)
  return { sshKey: await addSshKey(op, { name, key }), privateKeyPem }
}
