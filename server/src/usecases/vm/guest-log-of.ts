import { ClusterError } from '../../engine/kube/cluster-error.ts'
import { type RunningVmRef } from '../../engine/kube/streams/streams.ts'
import { Fault } from '../../engine/model/fault.ts'
import { type LogReason } from '../../domain/guest/guest-log.ts'
import { refusalOf } from '../../domain/vm/lifecycle.ts'
import { type VmState } from '../../domain/vm/state.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { type Berth } from '../berth.ts'

const starting: readonly VmState[] = ['Pending', 'Provisioning', 'Starting', 'Restarting']

/** Returns the result of `ask` on the live log of the VM, or the reason why there is none. */
export async function liveLogOf<T>(
  berth: Berth,
  vm: VmView,
  ask: (ref: RunningVmRef) => Promise<T>,
): Promise<T | LogReason> {
  if (refusalOf('openConsole', { name: vm.name, state: vm.state, isProtected: false }) !== null)
    return reasonFor(vm, 'stopped')
  const tenant = await berth.reads('platform').tenants.find(vm.tenantId)
  if (!tenant) return 'stopped'
  try {
    return await ask({ namespace: tenant.namespace, vm: vm.name })
  } catch (error) {
    const reason = reasonIn(error)
    if (reason === null) throw error
    return reason === 'unavailable' ? reason : reasonFor(vm, reason)
  }
}

const reasonFor = ({ state, wantedPower }: VmView, otherwise: LogReason): LogReason =>
  wantedPower === 'on' && starting.includes(state) ? 'starting' : otherwise

/** Converts an error of the cluster into a reason. Null for a bug. */
function reasonIn(error: unknown): LogReason | null {
  if (error instanceof Fault) return null
  if (!(error instanceof ClusterError)) return null
  if (error.trouble === 'gone') return 'stopped'
  // The log of a running pod is refused when the pod has no log container.
  return error.trouble === 'refused' ? 'not_supported' : 'unavailable'
}
