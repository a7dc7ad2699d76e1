import type { Client, OperationResult } from '@urql/core'
import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { Pages } from './pages.ts'

const document = parse('query Rows($first: Int!, $after: String) { rows(first: $first, after: $after) { nodes } }')

/** A server with numbered rows, and a client that answers each reading when told to. */
function aList(rows: number[]) {
  const pending: (() => void)[] = []
  const live = new Map<string, ((result: OperationResult) => void)[]>()
  const answer = (after: string | null, first: number) => {
    const left = rows.filter((row) => after === null || row > Number(after))
    const nodes = left.slice(0, first)
    return { nodes, totalCount: rows.length, pageInfo: { endCursor: String(nodes.at(-1) ?? ''), hasNextPage: left.length > first } }
  }
  const client = {
    executeQuery({ variables }: { variables: { after: string | null; first: number } }) {
      const key = String(variables.after)
      const send = () =>
        live.get(key)?.forEach((hear) => hear({ data: { rows: answer(variables.after, variables.first) } } as OperationResult)) // only data is read
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
  const settle = () => {
    for (let send = pending.shift(); send; send = pending.shift()) send()
  }
  const pages = new Pages<{ rows: ReturnType<typeof answer> }, number>()
  // A stand-in for the one method that is called.
  pages.begin({ client: client as unknown as Client, document, variables: {}, first: 2, pick: (data) => data.rows })
  settle()
  return { pages, rows, settle, step: () => pending.shift()?.(), shown: () => pages.found.value.flatMap((page) => page.nodes) }
}

test('loading more adds a page and repeats nothing', () => {
  const { pages, settle, shown } = aList([10, 20, 30, 40, 50])
  expect(shown()).toEqual([10, 20])
  pages.loadMore()
  settle()
  pages.loadMore()
  settle()
  expect(shown()).toEqual([10, 20, 30, 40, 50])
})

test('a row that arrives in an earlier page pushes no other row out of sight', () => {
  const { pages, rows, settle, shown } = aList([10, 20, 30, 40, 50, 60])
  pages.loadMore()
  settle()
  pages.loadMore()
  settle()
  rows.unshift(5)
  pages.reread()
  settle()
  expect(shown()).toEqual([5, 10, 20, 30, 40, 50])
})

test('while pages are read again, what was on screen stays', () => {
  const { pages, rows, step, shown } = aList([10, 20, 30, 40])
  pages.loadMore()
  step()
  rows.unshift(5)
  pages.reread()
  step()
  expect(shown()).toHaveLength(4)
})

test('of a long list the pages out of sight are read again only when they come into view', () => {
  const { pages, rows, settle, shown } = aList([10, 20, 30, 40, 50, 60])
  pages.show(0, 5)
  settle()
  expect(shown()).toEqual([10, 20, 30, 40, 50, 60])
  pages.show(0, 1)
  rows.splice(2, 1, 31)
  pages.reread()
  settle()
  expect(shown()).toEqual([10, 20, 30, 40, 50, 60])
  pages.show(2, 3)
  settle()
  expect(shown()).toEqual([10, 20, 31, 40, 50, 60])
})
