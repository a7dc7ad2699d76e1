import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const timestampLength = '-yyyymmddhhmm'.length
const maxNameLength = 50

/** Names a snapshot after its schedule and its due time in UTC. */
export const snapshotNameOf = (name: string, dueMs: number): string =>
  `${name}-${new Date(dueMs).toISOString().slice(0, 16).replaceAll(/\D/g, '')}`

export function requireRoomForTimestamp(name: string): string {
  const maxLength = maxNameLength - timestampLength
  if (name.length > maxLength)
    throw invalid('name', messageOf('schedule.name_too_long', { most: maxLength }))
  return name
}
