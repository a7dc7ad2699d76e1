import { type ClusterError, reactions } from '../engine/kube/cluster-error.ts'
import { type FaultCode } from '../engine/model/fault.ts'
import { type Message, messageOf } from '../engine/model/message.ts'

type Trouble = ClusterError['trouble']

interface RefusedWrite {
  code: FaultCode
  detail: Message
}

/**
 * Returns why the cluster will never accept a write. `refused` sends the user to the log, which has
 * the reason. Troubles that are not in the log have sentences of their own.
 */
export const refusedWrite = (
  { trouble }: ClusterError,
  refused: Message,
  own: Readonly<Partial<Record<Trouble, Message>>> = {},
): RefusedWrite => ({
  code: reactions[trouble].fault,
  detail: own[trouble] ?? ofNamespace[trouble] ?? refused,
})

const ofNamespace: Readonly<Partial<Record<Trouble, Message>>> = {
  namespace_missing: messageOf('tenant.namespace_missing'),
  namespace_terminating: messageOf('tenant.namespace_leaving'),
}
