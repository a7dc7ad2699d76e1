import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { type RestRoute } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { oneOf } from '../../../engine/rest/json-schema.ts'

const { flag, id, text, time } = scalar

export const auditOutcomes = oneOf('allowed', 'refused', 'failed')

export const auditEvent = new ResponseShape('AuditEvent', {
  id,
  at: time,
  'tenant_id?': id,
  actor_id: text,
  actor_name: text,
  actor_role: text,
  by_platform: { ...flag, description: 'True when root acted inside a tenant.' },
  credential: text,
  operation: text,
  'target_kind?': text,
  'target_id?': text,
  'target_name?': text,
  outcome: auditOutcomes,
  'code?': text,
  request_id: text,
  address: text,
})

const auditEvents = new NounRoutes({
  tag: 'Audit',
  path: '/api/v1/audit-events',
  type: 'AuditEvent',
  shape: auditEvent,
})

export const auditEventRoutes: RestRoute[] = [
  auditEvents.list('List the calls that changed something or tried to, newest first', {
    filters: {
      operation: { description: 'Only calls of this mutation.', schema: text },
      actor_name: { description: 'Only calls of this user.', schema: text },
      outcome: { description: 'Only calls with this outcome.', schema: auditOutcomes },
      since: { description: 'Only calls at or after this time.', schema: time },
      before: { description: 'Only calls before this time.', schema: time },
    },
    sorts: ['at'],
  }),
]
