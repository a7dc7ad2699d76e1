import { mustActInTenant } from '../../domain/identity/principal.ts'
import { requireSlug } from '../../engine/model/name.ts'
import { type PublicKey } from '../../domain/ssh-key/public-key.ts'
import { type SshKeyView, mustBeRoomFor } from '../../domain/ssh-key/ssh-key.ts'
import { mustAllow } from '../../domain/tenant/rules.ts'
import { sha256 } from '../../runtime/ids.ts'
import { type Op } from '../../store/op.ts'

/** Adds a checked key to the tenant acted in: under a free name, once, and while there is room. */
export async function addSshKey(
  op: Op,
  asked: { name: string; key: PublicKey },
): Promise<SshKeyView> {
  const tenantId = mustActInTenant(op.viewer)
  const named = { name: requireSlug(asked.name, 'name'), fingerprint: fingerprintOf(asked.key) }
  // Locked, so that two who add at once are counted one after the other.
  mustAllow('update', await op.tenants.get(tenantId))
  mustBeRoomFor(named, await op.sshKeys.presentFor({ tenantId, ...named }))
  const sshKey = await op.sshKeys.insert({ tenantId, ...named, publicKey: asked.key.line })
  op.changes.note('ssh_key', sshKey)
  op.audit.about('ssh_key', sshKey)
  return sshKey
}

const fingerprintOf = ({ bytes }: PublicKey): string =>
  `SHA256:${sha256(bytes).toString('base64').replace(/=+$/, '')}`
