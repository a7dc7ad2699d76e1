import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { Memo } from './memo-entity.ts'
import { MemoReads, MemoStore } from './memo.ts'

/** The part of the store for memos: tables and queries. */
export const memoNoun = {
  entities: [Memo],
  reads: { memos: MemoReads },
  stores: { memos: MemoStore },
  workKeys: {},
  deletedWithTenant: [Memo],
  constraints: { memo_name_key: messageOf('memo.name_taken_meanwhile') },
} satisfies NounParts
