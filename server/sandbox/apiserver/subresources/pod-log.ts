import { type KubeObject } from '../../objects/types.ts'
import { type Answer, type Call } from '../request.ts'
import { type Cause } from '../../objects/cause.ts'
import { invalid, refuse } from '../../objects/status.ts'
import { type ContainerLog } from '../container-logs.ts'
import { podContainer } from './pod-container.ts'
import { dig } from '../../objects/dig.ts'

const contentType = 'text/plain'

/** Returns the log of a container. With `follow` it continues to stream. */
export function podLog(call: Call): Answer | null {
  const pod = call.store.get(call.resource, call.namespace, call.name ?? '')
  if (!pod) throw refuse.notFound(call.resource, call.name ?? '')
  const options = logOptions(call.query)
  const container = podContainer(pod, call.query.get('container') ?? '')
  // A pod without a node has no output.
  if (dig.text(pod, 'spec.nodeName') === '') return { status: 200, body: '', contentType }
  mustHaveStarted(pod, container)
  const log = call.logs(pod, container)
  const text = log ? lastPart(log.bytes(), options, pod) : ''
  // Following the log of a finished pod ends at once.
  const isOver = ['Succeeded', 'Failed'].includes(dig.text(pod, 'status.phase'))
  if (!log || !options.follow || isOver) return { status: 200, body: text, contentType }
  follow(call, log, text)
  return null
}

function mustHaveStarted(pod: KubeObject, container: string): void {
  const states = [
    ...dig.list(pod, 'status.initContainerStatuses'),
    ...dig.list(pod, 'status.containerStatuses'),
  ]
  const state = states.find((each) => dig.text(each, 'name') === container)
  const isWaiting =
    state === undefined
      ? dig.text(pod, 'status.phase') === 'Pending'
      : dig.any(state, 'state.waiting') !== undefined
  if (!isWaiting) return
  const reason = dig.text(state, 'state.waiting.reason') || 'ContainerCreating'
  throw refuse.badRequest(
    `container "${container}" in pod "${pod.metadata.name}" is waiting to start: ${reason}`,
  )
}

interface LogOptions {
  follow: boolean
  timestamps: boolean
  tailLines: number | null
  limitBytes: number | null
}

function logOptions(query: URLSearchParams): LogOptions {
  const isTrue = (name: string): boolean => ['true', '1', ''].includes(query.get(name) ?? 'false')
  const causes = [
    tooSmall(query, 'tailLines', 0),
    tooSmall(query, 'limitBytes', 1),
    tooSmall(query, 'sinceSeconds', 1),
  ]
  const found = causes.filter((cause) => cause !== null)
  if (found.length > 0)
    throw invalid({ kind: 'PodLogOptions', group: '', label: 'PodLogOptions' }, '', found)
  return {
    follow: isTrue('follow'),
    timestamps: isTrue('timestamps'),
    tailLines: amount(query, 'tailLines'),
    limitBytes: amount(query, 'limitBytes'),
  }
}

const amount = (query: URLSearchParams, name: string): number | null =>
  query.has(name) ? Number(query.get(name)) : null

function tooSmall(query: URLSearchParams, field: string, minimum: number): Cause | null {
  const value = amount(query, field)
  if (value === null || value >= minimum) return null
  const rule = minimum === 0 ? 'must be greater than or equal to 0' : 'must be greater than 0'
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${value}: ${rule}`, field }
}

/**
 * Returns the end of the log. Lines have no timestamps here, so all of them get the start time of
 * the pod.
 */
function lastPart(
  bytes: Buffer,
  { tailLines, limitBytes, timestamps }: LogOptions,
  pod: KubeObject,
): string {
  const lines = bytes.toString('utf8').split(/(?<=\n)/)
  const last = tailLines === null ? lines : tailLines === 0 ? [] : lines.slice(-tailLines)
  const time = dig.text(pod, 'status.startTime') || (pod.metadata.creationTimestamp ?? '')
  const text = last
    .filter((line) => line !== '')
    .map((line) => (timestamps ? `${time} ${line}` : line))
  return Buffer.from(text.join(''))
    .subarray(0, limitBytes ?? undefined)
    .toString('utf8')
}

/** Streams until the log ends, the pod is deleted or the client disconnects. */
function follow(
  { resource, store, response, name, namespace }: Call,
  log: ContainerLog,
  text: string,
): void {
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-cache, private' })
  response.flushHeaders()
  response.write(text)
  const end = (): void => void response.end()
  const stops = [
    log.follow({ data: (bytes) => void response.write(bytes), end }),
    store.subscribe(resource, ({ type, object }) => {
      if (
        type === 'DELETED' &&
        object.metadata.name === name &&
        object.metadata.namespace === namespace
      )
        end()
    }),
  ]
  response.once('close', () => {
    for (const stop of stops) stop()
  })
}
