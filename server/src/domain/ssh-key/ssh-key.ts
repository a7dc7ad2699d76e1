import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'

/** A public SSH key as its tenant sees it. Users choose keys for the VMs that they create. */
export interface SshKeyView {
  id: string
  tenantId: string
  name: string
  /** Type and key as in authorized_keys, without options and comment. */
  publicKey: string
  /** The fingerprint in the format of `ssh-keygen -l`: SHA256 in unpadded base64. */
  fingerprint: string
  version: number
  createdAt: string
  updatedAt: string
}

interface NamedKey {
  name: string
  fingerprint: string
}

const maxKeys = 100

/**
 * Refuses a key when the tenant has the key or its name already, or has the maximum number of keys.
 */
export function mustBeRoomFor(
  key: NamedKey,
  present: { count: number; alike: readonly NamedKey[] },
): void {
  const duplicate = present.alike.find(({ fingerprint }) => fingerprint === key.fingerprint)
  if (duplicate)
    throw new Fault('already_exists', messageOf('ssh.key_registered', { name: duplicate.name }))
  if (present.alike.length > 0)
    throw new Fault('already_exists', messageOf('ssh.name_taken', { name: key.name }))
  if (present.count < maxKeys) return
  throw new Fault('quota_exceeded', messageOf('ssh.most_keys', { most: maxKeys }))
}
