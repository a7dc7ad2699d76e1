import { RequestBody } from '../../../engine/rest/request-body.ts'
import {
  type PageInfo,
  type RestInput,
  type RestRoute,
  type StreamLimits,
  type StreamSources,
  route,
} from '../../../engine/rest/route.ts'
import { pageFields } from '../../../engine/rest/request-query.ts'
import { oneOf } from '../../../engine/rest/json-schema.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { auditEvent, auditOutcomes } from './audit-event.ts'
import { type TextFormat, csv, ndjson } from './text-format.ts'

const { text, time } = scalar

/** An export of a million entries takes a few minutes. */
const limits: StreamLimits = { longestMs: 30 * 60_000, perUser: 2 }

const pageSize = 500

const formats = {
  csv: { media: 'text/csv', format: csv },
  ndjson: { media: 'application/x-ndjson', format: ndjson },
} as const

const request = new RequestBody({
  format: oneOf('csv', 'ndjson'),
  'operation?': text,
  'actor_name?': text,
  'outcome?': auditOutcomes,
  'since?': time,
  'before?': time,
})

/** Returns the name of the format, which the table of the body has checked. */
const formatIn = ({ body }: RestInput) => (body['format'] === 'csv' ? 'csv' : 'ndjson')

const pagesDocument = `query ExportedAuditEvents($first: Int!, $after: String, $filter: AuditEventFilter) {
  auditEvents(first: $first, after: $after, filter: $filter) {
    nodes { ${auditEvent.selection} } ${pageFields} } }`

interface Exported {
  answer: { auditExport: { before: string } }
}

interface EventPage {
  auditEvents: { nodes: object[]; pageInfo: PageInfo }
}

/** Yields the pages of the span. Entries that are recorded later are newer than its end. */
async function* pagesOf(
  { run }: Pick<StreamSources, 'run'>,
  filter: object,
): AsyncGenerator<readonly object[]> {
  let page: PageInfo = { endCursor: null, hasNextPage: true }
  while (page.hasNextPage) {
    // The document selects exactly these fields.
    const { auditEvents } = (await run(pagesDocument, {
      first: pageSize,
      after: page.endCursor,
      filter,
    })) as unknown as EventPage
    yield auditEvent.toWireAll(auditEvents.nodes)
    page = auditEvents.pageInfo
  }
}

async function* textOf(
  format: TextFormat,
  pages: AsyncIterable<readonly object[]>,
): AsyncGenerator<string, undefined> {
  const columns = Object.keys(auditEvent.schema.properties ?? {})
  let rows = 0
  yield format.head(columns)
  for await (const page of pages) {
    rows += page.length
    yield page.map((row) => format.line(row, columns)).join('')
  }
  yield format.end(rows, columns)
}

const create = `mutation CreateAuditExport($input: CreateAuditExportInput!) {
  answer: createAuditExport(input: $input) { auditExport { before } } }`

export const auditExportRoutes: RestRoute[] = [
  route<Exported>({
    method: 'POST',
    path: '/api/v1/audit-exports',
    summary:
      'Export the audit log, newest first; a complete file ends with a line that has `complete` and the number of rows',
    tag: 'Audit',
    run: create,
    input: ({ body }) => ({ input: body }),
    output: () => '',
    stream: {
      isRequested: () => true,
      run: pagesDocument,
      mediaFor: (input) => formats[formatIn(input)].media,
      headersFor: (input) => ({
        'content-disposition': `attachment; filename="audit-events.${formatIn(input)}"`,
      }),
      limits,
      async open(input, sources) {
        // The document selects exactly these fields.
        const { answer } = (await sources.run(create, { input: input.body })) as unknown as Exported
        const { format: _, ...filter } = input.body
        const pages = pagesOf(sources, { ...filter, before: answer.auditExport.before })
        const texts = textOf(formats[formatIn(input)].format, pages)
        return {
          async next() {
            const { value, done } = await texts.next()
            return done === true ? null : value
          },
          close: () => void texts.return(undefined),
        }
      },
    },
    media: ['application/x-ndjson', 'text/csv'],
    request,
    status: 200,
    response: text,
  }),
]
