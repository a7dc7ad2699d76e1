import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  parse,
  subscribe,
} from 'graphql'
import { type EventFeed } from './events/event-feed.ts'
import { type GraphRequest } from './graphql/context.ts'
import { type DocumentResult, type StreamSources } from '../engine/rest/route.ts'

/** The sources that a REST client can follow: subscriptions of the schema, and the events. */
export function sourcesOn(
  schema: GraphQLSchema,
  events: EventFeed,
): (context: () => GraphRequest) => Omit<StreamSources, 'run'> {
  const documents = new Map<string, DocumentNode>()
  return (context) => ({
    async subscribe(text, variableValues) {
      const document = documents.get(text) ?? parse(text)
      documents.set(text, document)
      const stream = await subscribe({
        schema,
        document,
        contextValue: context(),
        variableValues,
      })
      if (!(Symbol.asyncIterator in stream))
        throw stream.errors?.[0] ?? new TypeError('a subscription opened no stream')
      return answersOf(stream)
    },
    events: (after) => events.open(context(), after),
  })
}

function answersOf(stream: AsyncIterator<ExecutionResult, void>): AsyncIterator<DocumentResult> {
  return {
    async next() {
      const { value, done } = await stream.next()
      if (done === true || !value) return { done: true, value: undefined }
      if (value.errors?.[0]) throw value.errors[0]
      return { done: false, value: value.data ?? {} }
    },
    async return() {
      await stream.return?.()
      return { done: true, value: undefined }
    },
  }
}
