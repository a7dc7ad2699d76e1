import type { Client, OperationResult } from '@urql/core'
import { parse } from 'graphql'
import type { Connection } from './pages.ts'

const document = parse(
  'query Rows($first: Int!, $after: String, $turned: Boolean) { rows(first: $first, after: $after, turned: $turned) { nodes } }',
)

interface Asked {
  after: string | null
  first: number
  turned?: boolean
}

/** A server with numbered rows, and a client that answers each reading when told to. For tests. */
export function fakeList(rows: number[]) {
  const pending: (() => void)[] = []
  const asked: Asked[] = []
  const live = new Map<string, ((result: OperationResult) => void)[]>()
  const answer = ({ after, first, turned = false }: Asked): Connection<number> => {
    const isBehind = (row: number) =>
      after === null || (turned ? row < Number(after) : row > Number(after))
    const left = (turned ? rows.toReversed() : rows).filter(isBehind)
    const nodes = left.slice(0, first)
    return {
      nodes,
      totalCount: rows.length,
      pageInfo: { endCursor: String(nodes.at(-1) ?? ''), hasNextPage: left.length > first },
    }
  }
  const client = {
    executeQuery({ variables }: { variables: Asked }) {
      const key = `${String(variables.after)} ${String(variables.turned)}`
      const send = () => {
        asked.push(variables)
        live
          .get(key)
          // only data is read
          ?.forEach((hear) => hear({ data: { rows: answer(variables) } } as OperationResult))
      }
      return {
        subscribe(hear: (result: OperationResult) => void) {
          live.set(key, [...(live.get(key) ?? []), hear])
          pending.push(send)
          return {
            unsubscribe: () =>
              live.set(
                key,
                (live.get(key) ?? []).filter((one) => one !== hear),
              ),
          }
        },
        toPromise: () => Promise.resolve(pending.push(send)),
      }
    },
  }
  const reading = {
    // A stand-in for the one method that is called.
    client: client as unknown as Client,
    document,
    variables: {},
    first: 2,
    pick: (data: { rows: Connection<number> }) => data.rows,
  }
  const settle = () => {
    for (let send = pending.shift(); send; send = pending.shift()) send()
  }
  return { reading, asked, settle, step: () => pending.shift()?.() }
}
