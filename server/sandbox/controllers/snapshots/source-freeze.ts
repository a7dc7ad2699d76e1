import { type Client } from '../client.ts'
import { read } from '../../objects/read.ts'
import { type Source } from './source.ts'

const vmis = 'virtualmachineinstances.kubevirt.io'

/**
 * True when the guest agent can freeze the file systems of the running guest. Otherwise the
 * snapshot is crash-consistent.
 */
const canFreeze = ({ vmi, agent, paused, locked }: Source): boolean =>
  vmi !== undefined && agent && !paused && locked

export function freeze(client: Client, source: Source): void {
  if (source.vmi && canFreeze(source))
    client.setStatus(vmis, source.vmi, { ...read.status(source.vmi), fsFreezeStatus: 'frozen' })
}

export function unfreeze(client: Client, source: Source | null): void {
  if (!source?.vmi || !canFreeze(source)) return
  const { fsFreezeStatus: _frozen, ...status } = read.status(source.vmi)
  client.setStatus(vmis, source.vmi, status)
}
