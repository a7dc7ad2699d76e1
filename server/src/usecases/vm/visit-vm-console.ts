import { type ByteStream } from '../../engine/kube/streams/streams.ts'
import { ClusterError } from '../../engine/kube/cluster-error.ts'
import { Fault, notFound } from '../../engine/model/fault.ts'
import { type Viewer, may } from '../../engine/model/viewer.ts'
import { type ConsoleEnd, endOfLine } from '../../domain/guest/console.ts'
import { mustAllow } from '../../domain/vm/lifecycle.ts'
import { type Clock } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import { type ConsoleGrant } from '../../store/vm/vm-console.ts'
import { type Berth, type Call } from '../berth.ts'
import { viewerOfGrant } from '../identity/viewer-of-grant.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface ConsoleVisit {
  userId: string
  tenantId: string
  /** One visitor at a time has it. */
  seat: string
  /** Into the guest; whoever was there is thrown out. Answers why not where it cannot be. */
  open(): Promise<ByteStream | ConsoleEnd>
  /** Whether the visitor may still be there. */
  standing(): Promise<'good' | 'ended' | 'changed'>
  /** Why the line has ended without our doing. */
  whyEnded(): Promise<ConsoleEnd>
  leave(): Promise<void>
}

/** What came with the ticket. */
export interface Arrival {
  ticket: string
  /** What the visitor believes the ticket to be for; what is not said is not compared. */
  kind: string | null
  name: string | null
  requestId: string
  address: string
}

interface VisitParts {
  berth: Berth
  clock: Pick<Clock, 'sleep'>
}

interface Admitted {
  grant: ConsoleGrant
  viewer: Viewer
  vm: { id: string; name: string; namespace: string }
  visitId: string
}

/** Uses the ticket up and looks at everything again that was true when it was made. */
export async function visitVmConsole(
  { berth, clock }: VisitParts,
  arrival: Arrival,
): Promise<ConsoleVisit | ConsoleEnd> {
  const grant = await berth.consoles.redeem(arrival.ticket)
  const viewer = grant && (await viewerOfGrant(berth, grant))
  if (!grant || !viewer) return 'unauthorized'
  const { requestId, address } = arrival
  const call: Call = {
    viewer,
    scope: { tenantId: grant.tenantId },
    operation: 'openVmConsole',
    requestId,
    address,
    idempotency: null,
  }
  try {
    const vm = await admit(berth, call, { grant, arrival })
    return visitOf({ berth, clock }, { grant, viewer, vm, visitId: newId() })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    await berth.refused(call, error.code)
    return refusals[error.code] ?? 'tryLater'
  }
}

const refusals: Readonly<Record<string, ConsoleEnd>> = {
  unauthenticated: 'unauthorized',
  forbidden: 'forbidden',
  not_found: 'gone',
  wrong_state: 'stopped',
}

async function admit(
  berth: Berth,
  call: Call,
  { grant, arrival }: { grant: ConsoleGrant; arrival: Arrival },
): Promise<Admitted['vm']> {
  const tenant = await berth.reads('platform').tenants.find(grant.tenantId)
  return berth.write(call, async (op) => {
    const vm = await op.reads.vms.find(grant.vmId)
    if (!vm || !tenant) throw notFound('vm', grant.vmId)
    const { id, name, tenantId, state, deleting, deleteProtection: isProtected } = vm
    op.audit.about('vm', { id, name, tenantId })
    const isMeant = (arrival.kind ?? grant.kind) === grant.kind && (arrival.name ?? name) === name
    if (!isMeant) throw new Fault('unauthenticated', messageOf('access.ticket_of_other_console'))
    if (!may(call.viewer, 'vms:console'))
      throw new Fault(
        'forbidden',
        messageOf('access.permission_missing', { permission: 'vms:console' }),
      )
    mustAllow('openConsole', { name, state: deleting ? 'Deleting' : state, isProtected })
    return { id, name, namespace: tenant.namespace }
  })
}

function visitOf({ berth, clock }: VisitParts, { grant, vm, visitId }: Admitted): ConsoleVisit {
  const { consoles, streams } = berth
  const { tenantId, kind, userId } = grant
  const seat = { vmId: vm.id, kind, visitId }
  const ref = { namespace: vm.namespace, vm: vm.name }
  const lookAround = async (): Promise<ConsoleEnd | null> => {
    if (await consoles.isTaken(seat)) return 'taken'
    return endOfLine(await berth.reads({ tenantId }).vms.find(vm.id))
  }
  return {
    userId,
    tenantId,
    seat: `${kind} ${vm.id}`,
    async open() {
      // Before the line is opened, which ends the former one: whose replica then asks why finds the
      // answer.
      await consoles.take({ ...seat, tenantId })
      try {
        return await (kind === 'serial'
          ? streams.openConsole(ref)
          : streams.openScreen(ref, { polite: false }))
      } catch (error) {
        await consoles.leave(seat)
        if (!(error instanceof ClusterError)) throw error
        return notRunning.includes(error.trouble) ? 'stopped' : 'tryLater'
      }
    },
    async standing() {
      const viewer = await viewerOfGrant(berth, grant)
      if (!viewer) return 'ended'
      return may(viewer, 'vms:console') ? 'good' : 'changed'
    },
    async whyEnded() {
      // The line ends with the guest, the row knows of it a moment later.
      for (let look = 1; look < looks; look += 1) {
        const why = await lookAround()
        if (why) return why
        await clock.sleep(betweenLooksMs)
      }
      return (await lookAround()) ?? 'lost'
    },
    leave: () => consoles.leave(seat),
  }
}

const looks = 5
const betweenLooksMs = 300

/** What the cluster answers for a VM that does not run, or not any more. */
const notRunning: readonly ClusterError['trouble'][] = ['gone', 'refused', 'version_conflict']
