import { type IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import { type Clock } from '../../../runtime/clock.ts'
import { type ClusterError } from '../cluster-error.ts'
import { type ApiCall } from '../api-call.ts'
import { problemIn } from '../answers.ts'
import { type ApiObject, objectIn } from '../objects.ts'
import { type Transport } from '../transport.ts'

export type WatchLine =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'UNKNOWN'; object: ApiObject | null }
  | { type: 'ERROR'; problem: ClusterError }

interface Stream {
  transport: Transport
  call: ApiCall
  clock: Clock
  inactivityMs: number
  signal: AbortSignal
}

/**
 * Yields the events of one watch. Ends when the server ends it or after the time without a byte; a
 * reset is an error.
 */
export async function* watchLines({
  transport,
  call,
  clock,
  inactivityMs,
  signal,
}: Stream): AsyncGenerator<WatchLine | 'opened'> {
  const quiet = new AbortController()
  const ended = new AbortController()
  const response = await transport.open(call, AbortSignal.any([signal, quiet.signal]))
  const activity = { atMs: clock.elapsedMs() }
  response.on('data', () => (activity.atMs = clock.elapsedMs()))
  response.pause()
  const watchdog = untilQuiet({ clock, inactivityMs, activity, signal: ended.signal }).then(() =>
    quiet.abort(),
  )
  try {
    yield 'opened'
    for await (const line of linesOf(response)) yield eventIn(line, call)
  } catch (error) {
    if (!quiet.signal.aborted) throw error
  } finally {
    ended.abort()
    response.destroy()
    await watchdog
  }
}

interface Watchdog {
  clock: Clock
  inactivityMs: number
  activity: { atMs: number }
  signal: AbortSignal
}

async function untilQuiet({ clock, inactivityMs, activity, signal }: Watchdog): Promise<void> {
  for (
    let leftMs = inactivityMs;
    leftMs > 0 && !signal.aborted;
    leftMs = activity.atMs + inactivityMs - clock.elapsedMs()
  ) {
    await clock.sleep(leftMs, signal)
  }
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let partialLine = ''
  // A response without an encoding yields only buffers.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const lines = (partialLine + decoder.write(chunk)).split('\n')
    partialLine = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield line
  }
  // The rest is an incomplete line. The next stream starts before it.
}

const types = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'] as const

function eventIn(line: string, call: ApiCall): WatchLine {
  const event = parsed(line)
  // An unreadable line is a lost event, so it counts as a gap in the history.
  if (event === null)
    return {
      type: 'ERROR',
      problem: problemIn({
        call,
        status: 410,
        body: null,
        text: 'unreadable line',
        retryAfterMs: undefined,
      }),
    }
  if (event.type === 'ERROR') return { type: 'ERROR', problem: problemOf(event.object, call) }
  const type = types.find((each) => each === event.type)
  return {
    type: type ?? 'UNKNOWN',
    object: type === undefined ? null : bookmarkOrObject(type, event.object),
  }
}

function problemOf(status: unknown, call: ApiCall): ClusterError {
  const code =
    typeof status === 'object' && status !== null && 'code' in status ? Number(status.code) : 500
  return problemIn({ call, status: code, body: status, text: '', retryAfterMs: undefined })
}

/** Returns the object of an event. A bookmark has a version but no identity. */
function bookmarkOrObject(type: string, object: unknown): ApiObject | null {
  if (type !== 'BOOKMARK') return objectIn(object)
  const { metadata } = (object ?? {}) as { metadata?: object } // objectIn checks the fields
  return objectIn({ metadata: { ...metadata, name: '', uid: '' } })
}

function parsed(line: string): { type?: unknown; object?: unknown } | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
