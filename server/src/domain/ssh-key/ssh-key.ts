import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface SshKeyView {
  id: string
  tenantId: string
  name: string
  /**
   * Type and key, as a line of authorized_keys has them; no options before and no comment after.
   */
  publicKey: string
  /** As `ssh-keygen -l` prints it: SHA256 and unpadded base64. */
  fingerprint: string
  version: number
  createdAt: string
  updatedAt: string
}

interface Named {
  name: string
  fingerprint: string
}

const mostKeys = 100

/** Refuses a key for which its tenant has no room, no free name, or which it has already. */
export function mustBeRoomFor(
  key: Named,
  present: { count: number; alike: readonly Named[] },
): void {
  const same = present.alike.find(({ fingerprint }) => fingerprint === key.fingerprint)
  if (same) throw new Fault('already_exists', messageOf('ssh.key_registered', { name: same.name }))
  if (present.alike.length > 0)
    throw new Fault('already_exists', messageOf('ssh.name_taken', { name: key.name }))
  if (present.count < mostKeys) return
  throw new Fault('quota_exceeded', messageOf('ssh.most_keys', { most: mostKeys }))
}
