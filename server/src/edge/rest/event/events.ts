import { eventsDocument } from './event.ts'
import { type RestRoute, route } from '../../../engine/rest/route.ts'
import { type QueryValues } from '../../../engine/rest/request-query.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { ResponseShape } from '../../../engine/rest/response-shape.ts'

const { text, time } = scalar

const ticket = new ResponseShape(
  { type: 'CreateEventsTicketPayload', name: 'EventsTicket' },
  { ticket: text, expires_at: time },
)

const afterIn = ({ after }: QueryValues): string | null =>
  typeof after === 'string' ? after : null

export const eventRoutes: RestRoute[] = [
  route<{ answer: object }>({
    method: 'POST',
    path: '/api/v1/events-ticket',
    summary: 'Get a ticket that opens /ws/events once',
    tag: 'Events',
    run: `mutation CreateEventsTicket { answer: createEventsTicket { ${ticket.selection} } }`,
    input: () => ({}),
    output: ({ answer }) => answer,
    status: 201,
    headers: { 'cache-control': 'no-store' },
    response: ticket.schema,
  }),
  route<object>({
    method: 'GET',
    path: '/api/v1/events',
    summary: 'Stream changes as server-sent events; resumes after Last-Event-ID',
    tag: 'Events',
    run: eventsDocument,
    input: () => ({}),
    output: () => '',
    stream: {
      isRequested: () => true,
      keepAlive: ':\n\n',
      open: async ({ query, lastEventId }, { events }) => {
        const source = await events(lastEventId ?? afterIn(query))
        let greeting: string | null = ': listening\n\n'
        return {
          async next() {
            const first = greeting
            greeting = null
            if (first !== null) return first
            const event = await source.next()
            return event && `id: ${event.cursor}\ndata: ${event.text}\n\n`
          },
          close: () => source.close(),
        }
      },
    },
    media: ['text/event-stream'],
    status: 200,
    query: {
      after: {
        description: 'The cursor to resume after, when no Last-Event-ID is sent.',
        schema: text,
      },
    },
    response: text,
  }),
]
