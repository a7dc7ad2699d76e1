import { Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { type InheritedNics } from '../nic/inherited-nics.ts'
import { type NicRow } from '../nic/nic.ts'
import { type NicsRequest } from '../nic/rules.ts'
import { type Identity } from './identity.ts'
import { messageOf } from '../../engine/model/message.ts'

/** A NIC of the VM when its snapshot was requested. */
export type SnapshotNic = Pick<NicRow, 'kind' | 'mac' | 'address' | 'networkId' | 'networkName'>

export const snapshotNicsFrom = (nics: readonly NicRow[]): SnapshotNic[] =>
  nics.map(({ kind, mac, address, networkId, networkName }) => ({
    kind,
    mac,
    address,
    networkId,
    networkName,
  }))

interface SnapshotNics {
  name: string
  nics?: readonly SnapshotNic[] | null
}

/**
 * Returns the NICs of a clone that keeps MACs or addresses, in the networks of the original VM.
 * Null when it keeps neither.
 */
export function nicsForClone(
  snapshot: SnapshotNics,
  identity: Pick<Identity, 'mac' | 'ip'>,
  request: NicsRequest,
): { request: NicsRequest; inherited: InheritedNics } | null {
  if (identity.mac === 'renew' && identity.ip === 'renew') return null
  const nics = nicsIn(snapshot, identity, request)
  const networkIds = nics.flatMap(({ kind, networkId }) =>
    kind === 'private' && networkId !== null ? networkId : [],
  )
  const has = (kind: SnapshotNic['kind']): boolean => nics.some((nic) => nic.kind === kind)
  return {
    request: { networkIds, podNetwork: has('pod'), publicIp: has('public') },
    inherited: {
      macs: new Map(
        identity.mac === 'keep' ? nics.map(({ networkId, mac }) => [networkId, mac]) : [],
      ),
      addresses: new Map(identity.ip === 'keep' ? nics.flatMap(addressIn) : []),
    },
  }
}

const addressIn = ({ networkId, address }: SnapshotNic): [string, string][] =>
  networkId === null || address === null ? [] : [[networkId, address]]

function nicsIn(
  { name, nics }: SnapshotNics,
  { ip }: Pick<Identity, 'ip'>,
  request: NicsRequest,
): readonly SnapshotNic[] {
  const conflictingField = (['networkIds', 'podNetwork', 'publicIp'] as const).find(
    (field) => (request[field] ?? null) !== null,
  )
  if (conflictingField) throw invalid(conflictingField, messageOf('vm_snapshot.networks_kept'))
  if (!nics) throw new Fault('wrong_state', messageOf('vm_snapshot.without_nics', { name }))
  if (ip === 'keep' && nics.every(({ address }) => address === null))
    throw invalid('identity.ip', messageOf('vm_snapshot.no_address_kept'))
  return nics
}
