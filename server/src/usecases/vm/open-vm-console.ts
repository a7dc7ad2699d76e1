import { type ByteStream } from '../../engine/kube/streams/streams.ts'
import { ClusterError } from '../../engine/kube/cluster-error.ts'
import { Fault, notFound } from '../../engine/model/fault.ts'
import { type Viewer, anonymous, may } from '../../engine/model/viewer.ts'
import { type ConsoleEnd, consoleEndOf } from '../../domain/guest/console.ts'
import { mustAllow } from '../../domain/vm/lifecycle.ts'
import { type Clock } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import { type ConsoleGrant } from '../../store/vm/vm-console.ts'
import { type Berth, type Call } from '../berth.ts'
import { viewerOfGrant } from '../identity/viewer-of-grant.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface VmConsoleSession {
  userId: string
  tenantId: string
  /** Names the console by its kind and VM. Only its newest session stays open. */
  consoleKey: string
  /** Connects to the guest, and ends the session that used this console. Otherwise: why not. */
  open(): Promise<ByteStream | ConsoleEnd>
  /** Returns `ended` after a logout, and `changed` when the permission was taken away. */
  checkCredential(): Promise<'good' | 'ended' | 'changed'>
  /** Returns why the guest's stream ended, when neither this server nor the client closed it. */
  endReason(): Promise<ConsoleEnd>
  release(): Promise<void>
}

/** The request that brings the ticket. */
export interface OpenConsoleRequest {
  ticket: string
  /** The console for which the client uses the ticket. Null: that of the ticket. */
  kind: string | null
  name: string | null
  requestId: string
  address: string
}

interface SessionContext {
  berth: Berth
  clock: Pick<Clock, 'sleep'>
}

interface OpeningContext extends SessionContext {
  /** Charges the opening to the owner of the ticket. Throws when its budget is used up. */
  charge: (viewer: Viewer) => void
}

interface Admitted {
  grant: ConsoleGrant
  viewer: Viewer
  vm: { id: string; name: string; namespace: string }
  sessionId: string
}

/** Redeems the ticket and rechecks all conditions under which it was issued. */
export async function openVmConsole(
  { berth, clock, charge }: OpeningContext,
  request: OpenConsoleRequest,
): Promise<VmConsoleSession | ConsoleEnd> {
  const grant = await berth.consoles.redeem(request.ticket)
  const viewer = grant && (await viewerOfGrant(berth, grant))
  charge(viewer ?? anonymous)
  if (!grant || !viewer) return 'unauthorized'
  const { requestId, address } = request
  const call: Call = {
    viewer,
    scope: { tenantId: grant.tenantId },
    operation: 'openVmConsole',
    requestId,
    address,
    idempotency: null,
  }
  try {
    const vm = await admit(berth, call, { grant, request })
    return sessionFor({ berth, clock }, { grant, viewer, vm, sessionId: newId() })
  } catch (error) {
    const end = consoleRefusalOf(error)
    if (error instanceof Fault) await berth.refused(call, error.code)
    return end
  }
}

/** Returns the close reason for a refusal. Every other error is thrown. */
export function consoleRefusalOf(error: unknown): ConsoleEnd {
  if (!(error instanceof Fault)) throw error
  return refusals[error.code] ?? 'tryLater'
}

const refusals: Readonly<Record<string, ConsoleEnd>> = {
  unauthenticated: 'unauthorized',
  tenant_forbidden: 'forbidden',
  forbidden: 'forbidden',
  not_found: 'gone',
  wrong_state: 'stopped',
}

async function admit(
  berth: Berth,
  call: Call,
  { grant, request }: { grant: ConsoleGrant; request: OpenConsoleRequest },
): Promise<Admitted['vm']> {
  const tenant = await berth.reads('platform').tenants.find(grant.tenantId)
  return berth.write(call, async (op) => {
    const vm = await op.reads.vms.find(grant.vmId)
    if (!vm || !tenant) throw notFound('vm', grant.vmId)
    const { id, name, tenantId, state, deleting, deleteProtection: isProtected } = vm
    op.audit.setTarget('vm', { id, name, tenantId })
    const matches = (request.kind ?? grant.kind) === grant.kind && (request.name ?? name) === name
    if (!matches) throw new Fault('unauthenticated', messageOf('access.ticket_of_other_console'))
    if (!may(call.viewer, 'vms:console'))
      throw new Fault(
        'forbidden',
        messageOf('access.permission_missing', { permission: 'vms:console' }),
      )
    mustAllow('openConsole', { name, state: deleting ? 'Deleting' : state, isProtected })
    return { id, name, namespace: tenant.namespace }
  })
}

function sessionFor(
  { berth, clock }: SessionContext,
  { grant, vm, sessionId }: Admitted,
): VmConsoleSession {
  const { consoles, streams } = berth
  const { tenantId, kind, userId } = grant
  const slot = { vmId: vm.id, kind, consoleSessionId: sessionId }
  const ref = { namespace: vm.namespace, vm: vm.name }
  const readEndReason = async (): Promise<ConsoleEnd | null> => {
    if (await consoles.isTaken(slot)) return 'taken'
    return consoleEndOf(await berth.reads({ tenantId }).vms.find(vm.id))
  }
  return {
    userId,
    tenantId,
    consoleKey: `${kind} ${vm.id}`,
    async open() {
      // Taking the slot before the stream opens tells the replica of the former session why the
      // cluster ends that session's stream.
      await consoles.take({ ...slot, tenantId })
      try {
        return await (kind === 'serial'
          ? streams.openConsole(ref)
          : streams.openScreen(ref, { polite: false }))
      } catch (error) {
        await consoles.leave(slot)
        if (!(error instanceof ClusterError)) throw error
        return notRunning.includes(error.trouble) ? 'stopped' : 'tryLater'
      }
    },
    async checkCredential() {
      const viewer = await viewerOfGrant(berth, grant)
      if (!viewer) return 'ended'
      return may(viewer, 'vms:console') ? 'good' : 'changed'
    },
    async endReason() {
      // The stream ends with the guest; the VM's row shows the new state a moment later.
      for (let attempt = 1; attempt < endReasonAttempts; attempt += 1) {
        const why = await readEndReason()
        if (why) return why
        await clock.sleep(endReasonRetryMs)
      }
      return (await readEndReason()) ?? 'lost'
    },
    release: () => consoles.leave(slot),
  }
}

const endReasonAttempts = 5
const endReasonRetryMs = 300

/** The answers of KubeVirt for a VM that does not run, or no longer runs. */
const notRunning: readonly ClusterError['trouble'][] = ['gone', 'refused', 'version_conflict']
