import { type UnitTools } from '../../engine/database/unit.ts'
import { type Reader } from '../../engine/database/sql/reader.ts'
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
  stores: {
    tenants: (unit: UnitTools, reader: Reader) => new TenantStore(unit, reader),
    quotas: (_unit: unknown, reader: Reader) => new TenantQuotaStore(reader),
    boundaries: (_unit: unknown, reader: Reader) => new TenantBoundaryStore(reader),
  },
  workKeys: { tenant: tenantKeys },
  constraints: {
    tenant_slug_key: messageOf('tenant.slug_taken_meanwhile'),
    tenant_namespace_key: messageOf('tenant.slug_taken_meanwhile'),
  },
} satisfies NounParts
