import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { SshKey } from './ssh-key-entity.ts'
import { SshKeyReads, SshKeyStore } from './ssh-key.ts'

/** The part of the store for public SSH keys: tables and queries. */
export const sshKeyNoun = {
  entities: [SshKey],
  reads: { sshKeys: SshKeyReads },
  stores: { sshKeys: SshKeyStore },
  workKeys: {},
  deletedWithTenant: [SshKey],
  constraints: {
    ssh_key_name_key: messageOf('ssh.name_taken_meanwhile'),
    ssh_key_fingerprint_key: messageOf('ssh.key_registered_meanwhile'),
  },
} satisfies NounParts
