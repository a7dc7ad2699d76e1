import { RequestBody } from '../../../engine/rest/request-body.ts'
import { type QueryValues } from '../../../engine/rest/request-query.ts'
import { type StreamedResponse, type RestRoute, route } from '../../../engine/rest/route.ts'
import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { component, object, oneOf } from '../../../engine/rest/json-schema.ts'
import { namespaceField } from '../namespace-field.ts'
import { vm } from './vm-shape.ts'
import { vms } from './vm.ts'

const { flag, text, time, whole } = scalar

const isDone = {
  type: 'boolean',
  const: true,
  description: 'Always true: a refusal has a status of its own.',
} as const

const named = new RequestBody({ name: text, ...namespaceField })
const stopped = new RequestBody({
  name: text,
  'force?': {
    ...flag,
    description: 'Cut the power immediately. It also ends a shutdown that is in progress.',
  },
  ...namespaceField,
})

/** Declares an action whose body names the VM, as in the older interface. */
const verb = (
  mutation: string,
  summary: string,
  { at, body, ...always }: { at: string; body: RequestBody; ifNeeded?: true },
): RestRoute =>
  vms.act(summary, '', {
    path: `/api/v1/vms/${at}`,
    mutation,
    body,
    startsOperation: true,
    input: (request) => ({ input: { ...request.body, ...always } }),
    output: ({ answer }) => ({ success: true, vm: vm.toWire(answer.object) }),
    response: component(
      { name: 'VmActionResult', description: 'The VM after the action.' },
      object({ success: isDone, vm: vm.schema }),
    ),
  })

const consoleTicket = new ResponseShape(
  { type: 'CreateVmConsoleTicketPayload', name: 'VmConsoleTicket' },
  { ticket: text, expires_at: time },
)

const maxLines = 5_000

/** A larger number means all lines, so it is reduced and not refused. */
const tailOf = ({ tail }: QueryValues): number | null =>
  typeof tail === 'number' ? Math.min(tail, maxLines) : null

interface LogNews {
  vmLogAppended: { lines: string[] }
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

const followedLog =
  'subscription FollowVmLog($name: String, $tailLines: Int) { vmLogAppended(name: $name, tailLines: $tailLines) { lines } }'

const followLog: StreamedResponse = {
  isRequested: ({ query }) => query['follow'] === '1',
  run: followedLog,
  limits: { longestMs: 5 * 60_000 },
  async open({ params, query }, sources) {
    const answers = await sources.subscribe(followedLog, {
      name: params['name'],
      tailLines: tailOf(query),
    })
    return {
      async next() {
        const answer = await answers.next()
        if (answer.done === true) return null
        // The document selects exactly this field.
        const { vmLogAppended } = answer.value as unknown as LogNews
        return textOf(vmLogAppended.lines)
      },
      close: () => void answers.return?.(),
    }
  },
}

export const vmVerbRoutes: RestRoute[] = [
  // Older clients repeat a start or stop until they see the state that they want.
  verb('StartVm', 'Start a VM', { at: 'start', body: named, ifNeeded: true }),
  verb('StopVm', 'Stop a VM', { at: 'stop', body: stopped, ifNeeded: true }),
  verb('RetryVm', 'Repeat the failed deploy of a VM', { at: 'retry', body: named }),
  {
    ...vms.delete('Delete a VM and its root disk', {
      path: '/api/v1/vms/delete',
      startsOperation: true,
      input: ({ body }) => ({ input: body }),
    }),
    method: 'POST',
    request: named,
  },
  route<{ vmLog: { lines: string[] } }>({
    method: 'GET',
    path: '/api/v1/vms/{name}/logs',
    summary: 'Get the last lines of the serial console',
    tag: 'VMs',
    run: `query GetVmLog($name: String!, $tailLines: Int) { vmLog(name: $name, tailLines: $tailLines) { lines } }`,
    input: ({ params, query }) => ({ name: params.name, tailLines: tailOf(query) }),
    names: { tailLines: 'tail' },
    output: ({ vmLog }) => textOf(vmLog.lines),
    media: ['text/plain'],
    stream: followLog,
    status: 200,
    query: {
      tail: {
        description: `The number of lines, at most ${maxLines}; 200 by default.`,
        schema: whole,
      },
      follow: {
        description: '`1` also streams new output, for five minutes.',
        schema: oneOf('0', '1'),
      },
    },
    response: text,
  }),
  route<{ answer: object }>({
    method: 'POST',
    path: '/api/v1/vms/{name}/console-ticket',
    summary: 'Get a ticket that opens the screen of a VM once',
    tag: 'VMs',
    run: `mutation CreateVmConsoleTicket($input: CreateVmConsoleTicketInput!) {
      answer: createVmConsoleTicket(input: $input) { ${consoleTicket.selection} } }`,
    input: ({ params }) => ({ input: { name: params.name, kind: 'vnc' } }),
    output: ({ answer }) => answer,
    status: 201,
    headers: { 'cache-control': 'no-store' },
    response: consoleTicket.schema,
  }),
]
