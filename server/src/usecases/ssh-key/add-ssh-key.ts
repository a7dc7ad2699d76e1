import { mustActInTenant } from '../../domain/identity/principal.ts'
import { requireName } from '../../engine/model/name.ts'
import { type PublicKey } from '../../domain/ssh-key/public-key.ts'
import { type SshKeyView, mustBeRoomFor } from '../../domain/ssh-key/ssh-key.ts'
import { lockOpenTenant } from '../tenant/must-have-namespace.ts'
import { sha256 } from '../../runtime/ids.ts'
import { type Op } from '../../store/op.ts'

/**
 * Adds a validated key to the current tenant. Its name and fingerprint must be unused, and the
 * limit not reached.
 */
export async function addSshKey(
  op: Op,
  request: { name: string; key: PublicKey },
): Promise<SshKeyView> {
  const tenantId = mustActInTenant(op.viewer)
  const identity = {
    name: requireName(request.name, 'name'),
    fingerprint: fingerprintOf(request.key),
  }
  // The lock makes concurrent requests count one after the other.
  await lockOpenTenant(op, tenantId)
  mustBeRoomFor(identity, await op.sshKeys.presentFor({ tenantId, ...identity }))
  const sshKey = await op.sshKeys.insert({ tenantId, ...identity, publicKey: request.key.line })
  op.changes.record('ssh_key', sshKey)
  op.audit.setTarget('ssh_key', sshKey)
  return sshKey
}

const fingerprintOf = ({ bytes }: PublicKey): string =>
  `SHA256:${sha256(bytes).toString('base64').replace(/=+$/, '')}`
