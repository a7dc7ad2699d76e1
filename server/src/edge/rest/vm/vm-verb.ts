import { type JobRow, jobFields } from '../../../engine/rest/job.ts'
import { RequestBody } from '../../../engine/rest/request-body.ts'
import { type QueryValues } from '../../../engine/rest/request-query.ts'
import {
  type StreamedResponse,
  type RestRoute,
  defaultWaitSeconds,
  route,
} from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { object, oneOf } from '../../../engine/rest/json-schema.ts'
import { namespaceField } from '../namespace-field.ts'
import { type VmRow, vm } from './vm-shape.ts'

const { text, time, whole } = scalar

const success = { type: 'boolean', const: true } as const

const named = new RequestBody({ name: text, ...namespaceField })

type Verb = 'start' | 'stop' | 'retry' | 'delete'

/** The mutation, its input type and the operation id begin with the same word. */
const documentOf = (verb: Verb, selection: string): string => {
  const name = `${verb[0]?.toUpperCase()}${verb.slice(1)}Vm`
  return `mutation ${name}($input: ${name}Input!, $waitSeconds: Int) {
    answer: ${verb}Vm(input: $input, waitSeconds: $waitSeconds) { vm { ${selection} } ${jobFields} } }`
}

/** Returns the shared part of the routes whose body names the VM. */
const verbRow = (
  verb: Verb,
  summary: string,
): Pick<
  RestRoute,
  'method' | 'path' | 'summary' | 'tag' | 'input' | 'takesVersion' | 'status' | 'request'
> => ({
  method: 'POST',
  path: `/api/v1/vms/${verb}`,
  summary,
  tag: 'VMs',
  input: ({ body }) => ({ input: body }),
  takesVersion: true,
  status: 200,
  request: named,
})

const power = (verb: Exclude<Verb, 'delete'>, summary: string): RestRoute =>
  route<{ answer: { vm: VmRow; operation: JobRow | null } }>({
    ...verbRow(verb, summary),
    // Older clients repeat a start or stop until they see the state that they want.
    input: ({ body }) => ({ input: verb === 'retry' ? body : { ...body, ifNeeded: true } }),
    run: documentOf(verb, vm.selection),
    versionOf: ({ answer }) => answer.vm.version,
    output: ({ answer }) => ({ success: true, vm: vm.toWire(answer.vm) }),
    accepted: { operationOf: ({ answer }) => answer.operation },
    response: object({ success, vm: vm.schema }),
  })

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
  power('start', 'Start a VM'),
  power('stop', 'Stop a VM'),
  power('retry', 'Repeat the failed deploy of a VM'),
  route<{ answer: { operation: JobRow } }>({
    ...verbRow('delete', 'Delete a VM and its root disk'),
    run: documentOf('delete', 'id'),
    output: () => ({ success: true }),
    accepted: { operationOf: ({ answer }) => answer.operation },
    defaultWaitSeconds,
    response: object({ success }),
  }),
  route<{ vmLog: { lines: string[] } }>({
    method: 'GET',
    path: '/api/v1/vms/{name}/logs',
    summary: 'Get the last lines of the serial console',
    tag: 'VMs',
    run: `query GetVmLog($name: String!, $tailLines: Int) { vmLog(name: $name, tailLines: $tailLines) { lines } }`,
    input: ({ params, query }) => ({ name: params.name, tailLines: tailOf(query) }),
    names: { tailLines: 'tail' },
    output: ({ vmLog }) => textOf(vmLog.lines),
    media: 'text/plain',
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
      answer: createVmConsoleTicket(input: $input) { ticket expires_at: expiresAt } }`,
    input: ({ params }) => ({ input: { name: params.name, kind: 'vnc' } }),
    output: ({ answer }) => answer,
    status: 201,
    headers: { 'cache-control': 'no-store' },
    response: object({ ticket: text, expires_at: time }),
  }),
]
