import { type Clock } from '../../runtime/clock.ts'
import { type ClusterName, checkedName } from '../../engine/kube/refs.ts'
import { ClusterError } from '../../engine/kube/cluster-error.ts'
import { ByteTail } from '../../engine/kube/streams/byte-tail.ts'
import {
  type ByteStream,
  type ClusterStreams,
  type GuestVmi,
  type RunningVmRef,
} from '../../engine/kube/streams/streams.ts'
import { type ApiCall } from '../../engine/kube/api-call.ts'
import { readObject } from '../../engine/kube/apply.ts'
import { responseStream, socketStream } from '../../engine/kube/byte-streams.ts'
import { fieldAt, textAt } from '../../engine/kube/field-at.ts'
import { instanceKind, launcherPodsOf, instanceSubresourceKind, podKind } from './instances.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'
import { type Transport } from '../../engine/kube/transport.ts'

/** A refusal arrives within this time. How the stream ends tells about every later failure. */
const refusedWithinMs = 1000

/** KubeVirt's sidecar container, which logs the output of the guest's first serial port. */
const logContainer = 'guest-console-log'

/**
 * Opens byte streams of a running guest: its serial console, its screen (VNC) and the log of its
 * serial port.
 */
export function guestStreams(transport: Transport, clock: Clock): ClusterStreams {
  const open = async (
    { namespace, vm }: RunningVmRef,
    target: Pick<ApiCall, 'subresource' | 'query'>,
  ): Promise<ByteStream> => {
    const call: ApiCall = {
      method: 'GET',
      of: instanceSubresourceKind,
      namespace: checkedName(namespace),
      name: checkedName(vm),
      ...target,
    }
    return socketStream(await transport.upgrade(call), clock)
  }
  return {
    openConsole: (ref) => open(ref, { subresource: 'console' }),
    openScreen: (ref, { polite }) =>
      open(ref, { subresource: 'vnc', ...(polite ? { query: { preserveSession: 'true' } } : {}) }),
    async followGuestLog({ namespace, vm }, { tailLines }) {
      const { run, call } = await logOf(transport, {
        namespace,
        vm,
        query: { follow: 'true', tailLines: String(tailLines) },
      })
      const stopping = new AbortController()
      // The cluster sends nothing, not even headers, until the guest writes something.
      const opening = transport.open(call, stopping.signal, null)
      await Promise.race([opening, clock.sleep(refusedWithinMs, stopping.signal)])
      return { ...responseStream(opening, stopping), vmi: run }
    },
    async readGuestLog({ namespace, vm }, last) {
      const { run, call } = await logOf(transport, {
        namespace,
        vm,
        query: { tailLines: String(last.lines) },
      })
      const stopping = new AbortController()
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(readsWithinMs)])
      const tail = new ByteTail(last.bytes)
      const stream = responseStream(Promise.resolve(await transport.open(call, signal)), stopping)
      for await (const bytes of stream.bytes) tail.push(bytes)
      return { vmi: run, bytes: tail.bytes(), isCut: tail.isCut }
    },
  }
}

const readsWithinMs = 10_000

interface LogRequest extends RunningVmRef {
  query: Readonly<Record<string, string>>
}

async function logOf(
  transport: Transport,
  { namespace, vm, query }: LogRequest,
): Promise<{ run: GuestVmi; call: ApiCall }> {
  const reference = { namespace: checkedName(namespace), name: checkedName(vm) }
  const { run, name } = await podOf(transport, reference)
  const logQuery = { container: logContainer, ...query }
  return {
    run,
    call: {
      method: 'GET',
      of: podKind,
      namespace: reference.namespace,
      name,
      subresource: 'log',
      query: logQuery,
    },
  }
}

/**
 * Returns the pod in which the guest runs now. There are two during a migration, and pods of
 * earlier VMIs may linger.
 */
async function podOf(
  transport: Transport,
  { namespace, name }: { namespace: ClusterName; name: ClusterName },
): Promise<{ run: GuestVmi; name: ClusterName }> {
  const running = await readObject(transport, { of: instanceKind, namespace, name })
  if (!running) throw notRunning(name)
  const pods = await launcherPodsOf(transport, namespace, running.metadata.uid)
  const chosen =
    pods.find((each) => isWhereItRuns(each, running)) ??
    pods.find((each) => textAt(each, 'status', 'phase') === 'Running')
  if (!chosen) throw notRunning(name)
  const run = {
    uid: running.metadata.uid,
    startedAt: textAt(running, 'metadata', 'creationTimestamp'),
    pod: chosen.metadata.uid,
  }
  return { run, name: checkedName(chosen.metadata.name) }
}

function isWhereItRuns(each: ApiObject, running: ApiObject): boolean {
  const node = textAt(each, 'spec', 'nodeName')
  if (node === null || fieldAt(running, 'status', 'activePods', each.metadata.uid) === undefined)
    return false
  return node === textAt(running, 'status', 'nodeName')
}

const notRunning = (name: string): ClusterError =>
  new ClusterError('the VM does not run', {
    trouble: 'gone',
    call: `follow the log of ${name}`,
    status: null,
  })
