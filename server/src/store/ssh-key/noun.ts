import { type Reader } from '../../engine/database/sql/reader.ts'
import { type NounParts } from '../noun-parts.ts'
import { SshKey } from './ssh-key-entity.ts'
import { SshKeyReads, SshKeyStore } from './ssh-key.ts'

export const sshKeyNoun = {
  entities: [SshKey],
  reads: { sshKeys: SshKeyReads },
  stores: {
    sshKeys: (_unit: unknown, reader: Reader) => new SshKeyStore(reader),
  },
  keys: {},
} satisfies NounParts
