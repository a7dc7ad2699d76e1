import { defineEntity, p } from '@mikro-orm/core'
import { type QuotaResource, eachQuota } from '../../domain/tenant/quota.ts'

/** The naming strategy turns `memoryMi` into `memory_mi`. */
export const TenantQuotaSchema = defineEntity({
  name: 'TenantQuota',
  tableName: 'tenant_quota',
  properties: { tenantId: p.uuid().primary(), ...eachQuota(() => p.integer().nullable()) },
})

type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Rest>}`
  : ''

export type QuotaColumn = SnakeCase<QuotaResource>
export const quotaColumn = (resource: QuotaResource): QuotaColumn =>
  // `SnakeCase` describes the same replacement.
  resource.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as QuotaColumn

declare module '../../engine/model/registry.ts' {
  interface Tables {
    tenant_quota: { tenant_id: string } & Record<QuotaColumn, number | null>
  }
}
