import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { operationStates } from '../../domain/operation/lifecycle.ts'
import { type OperationStep } from '../../domain/operation/progress.ts'
import { versionColumns, timestamp, messages } from '../../engine/database/sql/entity-columns.ts'
import { type Message } from '../../engine/model/message.ts'

export const OperationSchema = defineEntity({
  name: 'Operation',
  tableName: 'operation',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    kind: p.text(),
    targetKind: p.text(),
    targetId: p.uuid(),
    targetName: p.text().default(''),
    actorId: p.uuid(),
    actorName: p.text(),
    state: p.enum(operationStates).default('pending'),
    steps: p.json().$type<readonly OperationStep[]>(),
    progress: p.integer().nullable(),
    faultCode: p.text().nullable(),
    faultDetail: messages<Message>().nullable(),
    waitsFor: messages<Message>().nullable(),
    cancellable: p.boolean().default(false),
    cancelRequestedAt: timestamp().nullable(),
    supersededBy: p.uuid().nullable(),
    idempotencyKey: p.text().nullable(),
    requestId: p.text().nullable(),
    payloadVersion: p.integer().default(1),
    payload: p.json().$type<Record<string, unknown>>(),
    deadline: timestamp(),
    deadlineSeconds: p.integer().default(600),
    startedAt: timestamp().nullable(),
    finishedAt: timestamp().nullable(),
    ...versionColumns,
  },
})

export class Operation extends OperationSchema.class {}
OperationSchema.setClass(Operation)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    operation: InferKyselyTable<typeof OperationSchema>
  }
}
