import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const stampCharacters = '-yyyymmddhhmm'.length
const mostName = 50

/** Its snapshots are called by it and by when they were due, in UTC. */
export const snapshotNameOf = (name: string, dueMs: number): string =>
  `${name}-${new Date(dueMs).toISOString().slice(0, 16).replaceAll(/\D/g, '')}`

export function requireRoomForStamp(name: string): string {
  const most = mostName - stampCharacters
  if (name.length > most) throw invalid('name', messageOf('schedule.name_too_long', { most }))
  return name
}
