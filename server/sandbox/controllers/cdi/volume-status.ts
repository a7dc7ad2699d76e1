import { clock } from '../../clock.ts'
import { isDeepStrictEqual } from 'node:util'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { filled, read } from '../../objects/read.ts'
import { names } from '../../objects/storage/names.ts'

export interface ConditionUpdate {
  status: 'True' | 'False'
  reason?: string
  message?: string
}

type Conditions = Record<'Bound' | 'Ready' | 'Running', ConditionUpdate>

export interface VolumeStatusChange {
  phase?: string
  progress?: string
  claimName?: string
  restartCount?: number
}

/** Writes the status of a DataVolume, and records an event when the reason of `Bound` changes. */
export function reportStatus(
  client: Client,
  volume: KubeObject,
  { conditions, ...changes }: VolumeStatusChange & { conditions: Conditions },
): KubeObject {
  const old = read.status(volume)
  const updated = { ...old, ...filled(changes), conditions: merged(old, conditions) }
  if (isDeepStrictEqual(updated, old)) return volume
  const { reason = '', message = '' } = conditions.Bound
  const existing = read.maps(old.conditions).find(({ type }) => type === 'Bound')
  if (existing?.reason !== reason && reason !== '')
    client.record(volume, { type: 'Normal', reason, message })
  return client.setStatus(names.dataVolumes, volume, updated)
}

function merged(old: JsonMap, conditions: Conditions): JsonMap[] {
  const now = clock.timestamp()
  const oldConditions = read.maps(old.conditions)
  return Object.entries(conditions).map(([type, update]) => {
    const existing = oldConditions.find((each) => each.type === type)
    if (existing && isUnchanged(existing, update)) return existing
    const since = existing?.status === update.status ? existing.lastTransitionTime : now
    return {
      type,
      ...withoutEmpty(update),
      lastHeartbeatTime: now,
      lastTransitionTime: since ?? now,
    }
  })
}

const isUnchanged = (existing: JsonMap, update: ConditionUpdate): boolean =>
  (['status', 'reason', 'message'] as const).every(
    (field) => read.text(existing[field]) === (update[field] ?? ''),
  )

const withoutEmpty = (update: ConditionUpdate): JsonMap =>
  Object.fromEntries(Object.entries(update).filter(([, value]) => value !== ''))
