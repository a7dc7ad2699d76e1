import { clock } from '../../clock.ts'
import { isDeepStrictEqual } from 'node:util'
import { type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { type Desk } from '../desk.ts'
import { filled, read } from '../snapshots/read.ts'
import { names } from '../storage/names.ts'

export interface Said {
  status: 'True' | 'False'
  reason?: string
  message?: string
}

export interface News extends JsonMap {
  phase?: string
  progress?: string
  claimName?: string
  restartCount?: number
}

type Conditions = Record<'Bound' | 'Ready' | 'Running', Said>

/** Writes what became of a DataVolume, and says as an event what is new in it. */
export function tell(desk: Desk, volume: KubeObject, news: News, conditions: Conditions): KubeObject {
  const old = read.status(volume)
  const status = filled({ ...old, ...filled(news) })
  const told = { ...status, conditions: merged(old, conditions) }
  if (isDeepStrictEqual(told, old)) return volume
  const { reason = '', message = '' } = conditions.Bound
  const known = read.maps(old.conditions).find(({ type }) => type === 'Bound')
  if (known?.reason !== reason && reason !== '') desk.record(volume, { type: 'Normal', reason, message })
  return desk.setStatus(names.dataVolumes, volume, told)
}

function merged(old: JsonMap, conditions: Conditions): JsonMap[] {
  const now = clock.timestamp()
  return Object.entries(conditions).map(([type, { status, reason, message }]) => {
    const known = read.maps(old.conditions).find((each) => each.type === type)
    const isSame = known?.status === status && (known.reason ?? '') === (reason ?? '') && (known.message ?? '') === (message ?? '')
    if (known && isSame) return known
    const lastTransitionTime = known?.status === status ? (known.lastTransitionTime ?? now) : now
    return filled({ type, status, reason: reason || undefined, message: message || undefined, lastHeartbeatTime: now, lastTransitionTime })
  })
}
