import type { Client, OperationResult } from '@urql/core'
import { parse } from 'graphql'
import type { Connection } from './pages.ts'

const document = parse(
  'query Rows($first: Int!, $after: String, $reversed: Boolean) { rows(first: $first, after: $after, reversed: $reversed) { nodes } }',
)

interface PageRequest {
  after: string | null
  first: number
  reversed?: boolean
}

/** A fake server with numbered rows. Its client answers a request only on `step` or `settle`. */
export function fakeList(rows: number[]) {
  const pending: (() => void)[] = []
  const requests: PageRequest[] = []
  const live = new Map<string, ((result: OperationResult) => void)[]>()
  const answer = ({ after, first, reversed = false }: PageRequest): Connection<number> => {
    const isAfter = (row: number) =>
      after === null || (reversed ? row < Number(after) : row > Number(after))
    const left = (reversed ? rows.toReversed() : rows).filter(isAfter)
    const nodes = left.slice(0, first)
    return {
      nodes,
      totalCount: rows.length,
      pageInfo: { endCursor: String(nodes.at(-1) ?? ''), hasNextPage: left.length > first },
    }
  }
  const client = {
    executeQuery({ variables }: { variables: PageRequest }) {
      const key = `${String(variables.after)} ${String(variables.reversed)}`
      const send = () => {
        requests.push(variables)
        // Pages reads only `data`.
        const result = { data: { rows: answer(variables) } } as OperationResult
        live.get(key)?.forEach((listener) => listener(result))
      }
      return {
        subscribe(listener: (result: OperationResult) => void) {
          live.set(key, [...(live.get(key) ?? []), listener])
          pending.push(send)
          return {
            unsubscribe: () =>
              live.set(
                key,
                (live.get(key) ?? []).filter((one) => one !== listener),
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
  return { reading, requests, settle, step: () => pending.shift()?.() }
}
