import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { type Rule, parts } from './rule.ts'

const handlers = ['httpGet', 'tcpSocket', 'exec', 'guestAgentPing']
const kinds = ['readinessProbe', 'livenessProbe'] as const

/** Validates the readiness and liveness probes of a guest. */
export const probes: Rule = (context) => {
  const onPod = parts.networks(context).some(({ pod }) => pod !== undefined)
  const specified = kinds.filter((kind) => context.spec[kind] !== undefined)
  return [
    ...specified.flatMap((kind) =>
      countCauses(`${context.at}.${kind}`, read.map(context.spec[kind])),
    ),
    ...(onPod
      ? []
      : specified.flatMap((kind) =>
          networkCauses(`${context.at}.${kind}`, read.map(context.spec[kind])),
        )),
  ]
}

function countCauses(field: string, probe: JsonMap): Cause[] {
  const count = handlers.filter((handler) => probe[handler] !== undefined).length
  if (count === 1) return []
  if (count > 1) return [cause.wrong(field, `${field} must have exactly one probe type set`)]
  const either = `either ${field}.tcpSocket, ${field}.exec or ${field}.httpGet must be set if a ${field} is specified`
  return [cause.required(field, either)]
}

const networkCauses = (field: string, probe: JsonMap): Cause[] =>
  ['httpGet', 'tcpSocket']
    .filter((handler) => probe[handler] !== undefined)
    .map((handler) =>
      cause.wrong(
        `${field}.${handler}`,
        `${field}.${handler} is only allowed if the Pod Network is attached`,
      ),
    )
