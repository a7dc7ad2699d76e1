import { type NounParts } from '../noun-parts.ts'
import { VmSshSchema } from './vm-ssh-entity.ts'
import { vmSshKeys } from './vm-ssh-keys.ts'
import { VmSshReads, VmSshStore } from './vm-ssh.ts'

/**
 * The part of the store for the SSH access of VMs: tables, queries and work keys for the
 * reconciler.
 */
export const vmSshNoun = {
  entities: [VmSshSchema],
  reads: { vmSsh: VmSshReads },
  stores: { vmSsh: VmSshStore },
  workKeys: { vm_ssh: vmSshKeys },
} satisfies NounParts
