import 'reflect-metadata'
import { type GraphQLSchema } from 'graphql'
import { buildSchemaSync } from 'type-graphql'
import { ApiKeyResolver } from './api-key.ts'
import { AuditEventResolver } from './audit-event.ts'
import { ChangeResolver } from './change.ts'
import { guardSchema } from './guard.ts'
import { OperationResolver } from './operation.ts'
import { PlatformResolver } from './platform.ts'
import { RoleResolver } from './role.ts'
import { ServiceOfferingResolver } from './service-offering.ts'
import { SshKeyResolver } from './ssh-key.ts'
import { TenantResolver } from './tenant.ts'
import { TenantQuotaResolver } from './tenant-quota.ts'
import { UserResolver } from './user.ts'
import { ViewerResolver } from './viewer.ts'
import { VmResolver } from './vm.ts'
import { VmConsoleResolver } from './vm-console.ts'
import { VmLogResolver } from './vm-log.ts'
import { VmTemplateResolver } from './vm-template.ts'

const resolvers = [
  ApiKeyResolver,
  AuditEventResolver,
  ChangeResolver,
  OperationResolver,
  PlatformResolver,
  RoleResolver,
  ServiceOfferingResolver,
  SshKeyResolver,
  TenantResolver,
  TenantQuotaResolver,
  UserResolver,
  ViewerResolver,
  VmConsoleResolver,
  VmLogResolver,
  VmResolver,
  VmTemplateResolver,
] as const

/** The contract, guarded. Validation is the domain's, so type-graphql's own stays off; so do its middlewares, which run per field. */
export function buildBerthSchema(): GraphQLSchema {
  return guardSchema(buildSchemaSync({ resolvers: [...resolvers], validate: false, emitSchemaFile: false, pubSub: unused }))
}

// type-graphql wants one where there are subscriptions; ours bring their own source, which is the change log.
const unused = { publish: () => undefined, subscribe: () => unheard }
const unheard = { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true as const, value: undefined }) }) }
