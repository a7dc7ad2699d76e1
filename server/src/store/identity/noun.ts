import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { ApiKey } from './api-key-entity.ts'
import { ApiKeyReads, ApiKeyStore } from './api-key.ts'
import { AuditEventSchema } from './audit-event-entity.ts'
import { AuditEventReads } from './audit-event.ts'
import { Role } from './role-entity.ts'
import { RoleReads, RoleStore } from './role.ts'
import { SecondFactor } from './second-factor-entity.ts'
import { SecondFactorReads, SecondFactorStore } from './second-factor.ts'
import { Session } from './session-entity.ts'
import { SessionReads, SessionStore } from './session.ts'
import { User } from './user-entity.ts'
import { UserReads, UserStore } from './user.ts'

/**
 * The part of the store for users, roles, sessions, second factors, API keys and the audit log:
 * tables, queries and messages for violated constraints.
 */
export const identityNoun = {
  entities: [ApiKey, AuditEventSchema, Role, SecondFactor, Session, User],
  reads: {
    users: UserReads,
    roles: RoleReads,
    sessions: SessionReads,
    secondFactors: SecondFactorReads,
    apiKeys: ApiKeyReads,
    auditEvents: AuditEventReads,
  },
  stores: {
    users: UserStore,
    roles: RoleStore,
    sessions: SessionStore,
    secondFactors: SecondFactorStore,
    apiKeys: ApiKeyStore,
  },
  workKeys: {},
  // The order of the foreign keys.
  deletedWithTenant: [ApiKey, Session, SecondFactor, User, Role],
  constraints: {
    role_name_key: messageOf('access.role_name_taken'),
    user_username_key: messageOf('access.username_taken'),
    user_oidc_key: messageOf('access.identity_linked'),
  },
} satisfies NounParts
