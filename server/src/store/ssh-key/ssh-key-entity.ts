import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { versionColumns } from '../../engine/database/sql/entity-columns.ts'

export const SshKeySchema = defineEntity({
  name: 'SshKey',
  tableName: 'ssh_key',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.text(),
    publicKey: p.text(),
    fingerprint: p.text(),
    ...versionColumns,
  },
})

export class SshKey extends SshKeySchema.class {}
SshKeySchema.setClass(SshKey)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    ssh_key: InferKyselyTable<typeof SshKeySchema>
  }
}
