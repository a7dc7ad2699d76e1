import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'

/** A memo as its tenant sees it. */
export interface MemoView {
  id: string
  tenantId: string
  name: string
  text: string
  version: number
  createdAt: string
  updatedAt: string
}

export const maxMemoCharacters = 2000

/** Refuses a name that another memo of the tenant has. */
export function mustBeFree(name: string, isTaken: boolean): void {
  if (isTaken) throw new Fault('already_exists', messageOf('memo.name_taken', { name }))
}
