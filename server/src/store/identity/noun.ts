import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { ApiKey } from './api-key-entity.ts'
import { ApiKeyReads, ApiKeyStore } from './api-key.ts'
import { AuditEventSchema } from './audit-event-entity.ts'
import { AuditEventReads } from './audit-event.ts'
import { Role } from './role-entity.ts'
import { RoleReads, RoleStore } from './role.ts'
import { Session } from './session-entity.ts'
import { SessionReads, SessionStore } from './session.ts'
import { User } from './user-entity.ts'
import { UserReads, UserStore } from './user.ts'

/**
 * The part of the store for users, roles, sessions, API keys and the audit log: tables, queries
 * and messages for violated constraints.
 */
export const identityNoun = {
  entities: [ApiKey, AuditEventSchema, Role, Session, User],
  reads: {
    users: UserReads,
    roles: RoleReads,
    sessions: SessionReads,
    apiKeys: ApiKeyReads,
    auditEvents: AuditEventReads,
  },
  stores: { users: UserStore, roles: RoleStore, sessions: SessionStore, apiKeys: ApiKeyStore },
  workKeys: {},
  // The order of the foreign keys.
  deletedWithTenant: [ApiKey, Session, User, Role],
  constraints: {
    role_name_key: messageOf('access.role_name_taken'),
    user_username_key: messageOf('access.username_taken'),
    user_oidc_key: messageOf('access.identity_linked'),
  },
} satisfies NounParts
