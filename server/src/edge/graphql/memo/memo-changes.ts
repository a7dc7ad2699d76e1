import { rowChanges } from '../change/row-changes.ts'
import { Memo } from './memo-types.ts'

export const MemoChangesResolver = rowChanges({
  name: 'memoChanged',
  type: () => Memo,
  needs: ['memos:read'],
  kind: 'memo',
  noun: 'memo',
  description: 'Sends the memo now and after each change, until it is deleted.',
  read: (reads, id) => reads.memos.find(id),
})
