import { type ResultOf, graphql } from '../graphql.ts'

export const vmLogDocuments = {
  read: graphql(`
    query VmLog($id: ID!, $boot: Int!, $tailLines: Int!) {
      vmLog(id: $id, boot: $boot, tailLines: $tailLines) {
        boot
        keptBoots
        lines
        live
        reason
        startedAt
        endedAt
        truncated
      }
    }
  `),
  follow: graphql(`
    subscription VmLogAppended($id: ID!, $tailLines: Int!) {
      vmLogAppended(id: $id, tailLines: $tailLines) {
        lines
        unfinished
        live
        reason
      }
    }
  `),
}

export type LogNews = ResultOf<typeof vmLogDocuments.follow>['vmLogAppended']
export type VmLogReason = NonNullable<LogNews['reason']>
export type VmLog = NonNullable<ResultOf<typeof vmLogDocuments.read>['vmLog']>
