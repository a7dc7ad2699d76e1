import { type Reader } from '../../engine/database/sql/reader.ts'
import { type NounParts } from '../noun-parts.ts'
import { VmSshSchema } from './vm-ssh-entity.ts'
import { vmSshKeys } from './vm-ssh-keys.ts'
import { VmSshReads, VmSshStore } from './vm-ssh.ts'

export const vmSshNoun = {
  entities: [VmSshSchema],
  reads: { vmSsh: VmSshReads },
  stores: {
    vmSsh: (_unit: unknown, reader: Reader) => new VmSshStore(reader),
  },
  keys: { vm_ssh: vmSshKeys },
} satisfies NounParts
