import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { TenantBoundarySchema } from './tenant-boundary-entity.ts'
import { TenantBoundaryStore } from './tenant-boundary.ts'
import { Tenant } from './tenant-entity.ts'
import { tenantKeys } from './tenant-keys.ts'
import { TenantQuotaSchema } from './tenant-quota-entity.ts'
import { TenantQuotaReads, TenantQuotaStore } from './tenant-quota.ts'
import { TenantReads, TenantStore } from './tenant.ts'

/**
 * The part of the store for tenants, their quotas and their boundaries: tables, queries and work
 * keys for the reconciler.
 */
export const tenantNoun = {
  entities: [Tenant, TenantBoundarySchema, TenantQuotaSchema],
  reads: { tenants: TenantReads, quotas: TenantQuotaReads },
  stores: { tenants: TenantStore, quotas: TenantQuotaStore, boundaries: TenantBoundaryStore },
  workKeys: { tenant: tenantKeys },
  constraints: {
    tenant_slug_key: messageOf('tenant.slug_taken_meanwhile'),
    tenant_namespace_key: messageOf('tenant.slug_taken_meanwhile'),
  },
} satisfies NounParts
