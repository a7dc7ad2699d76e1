import { clock } from '../../clock.ts'
import { isDeepStrictEqual } from 'node:util'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Desk } from '../desk.ts'
import { filled, read } from '../../objects/read.ts'
import { names } from '../../objects/storage/names.ts'

export interface Said {
  status: 'True' | 'False'
  reason?: string
  message?: string
}

type Conditions = Record<'Bound' | 'Ready' | 'Running', Said>

export interface News {
  phase?: string
  progress?: string
  claimName?: string
  restartCount?: number
}

/** Writes the status of a DataVolume, and records an event when the reason of `Bound` changes. */
export function tell(
  desk: Desk,
  volume: KubeObject,
  { conditions, ...news }: News & { conditions: Conditions },
): KubeObject {
  const old = read.status(volume)
  const told = { ...old, ...filled(news), conditions: merged(old, conditions) }
  if (isDeepStrictEqual(told, old)) return volume
  const { reason = '', message = '' } = conditions.Bound
  const known = read.maps(old.conditions).find(({ type }) => type === 'Bound')
  if (known?.reason !== reason && reason !== '')
    desk.record(volume, { type: 'Normal', reason, message })
  return desk.setStatus(names.dataVolumes, volume, told)
}

function merged(old: JsonMap, conditions: Conditions): JsonMap[] {
  const now = clock.timestamp()
  const oldOnes = read.maps(old.conditions)
  return Object.entries(conditions).map(([type, said]) => {
    const known = oldOnes.find((each) => each.type === type)
    if (known && says(known, said)) return known
    const since = known?.status === said.status ? known.lastTransitionTime : now
    return { type, ...withoutEmpty(said), lastHeartbeatTime: now, lastTransitionTime: since ?? now }
  })
}

const says = (known: JsonMap, said: Said): boolean =>
  (['status', 'reason', 'message'] as const).every(
    (field) => read.text(known[field]) === (said[field] ?? ''),
  )

const withoutEmpty = (said: Said): JsonMap =>
  Object.fromEntries(Object.entries(said).filter(([, value]) => value !== ''))
