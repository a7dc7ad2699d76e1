import { Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { type FormerNics } from '../nic/former-nics.ts'
import { type NicRow } from '../nic/nic.ts'
import { type AskedNics } from '../nic/rules.ts'
import { type Identity } from './identity.ts'
import { messageOf } from '../../engine/model/message.ts'

/** A NIC of the VM when its snapshot was requested. */
export type KeptNic = Pick<NicRow, 'kind' | 'mac' | 'address' | 'networkId' | 'networkName'>

export const keptNicsFrom = (nics: readonly NicRow[]): KeptNic[] =>
  nics.map(({ kind, mac, address, networkId, networkName }) => ({
    kind,
    mac,
    address,
    networkId,
    networkName,
  }))

interface SnapshotNics {
  name: string
  nics?: readonly KeptNic[] | null
}

/**
 * Returns the NICs of a clone that keeps MACs or addresses, in the networks of the original VM.
 * Null when it keeps neither.
 */
export function wiringFor(
  snapshot: SnapshotNics,
  identity: Pick<Identity, 'mac' | 'ip'>,
  request: AskedNics,
): { asked: AskedNics; former: FormerNics } | null {
  if (identity.mac === 'renew' && identity.ip === 'renew') return null
  const nics = nicsIn(snapshot, identity, request)
  const networkIds = nics.flatMap(({ kind, networkId }) =>
    kind === 'private' && networkId !== null ? networkId : [],
  )
  const has = (kind: KeptNic['kind']): boolean => nics.some((nic) => nic.kind === kind)
  return {
    asked: { networkIds, podNetwork: has('pod'), publicIp: has('public') },
    former: {
      macs: new Map(
        identity.mac === 'keep' ? nics.map(({ networkId, mac }) => [networkId, mac]) : [],
      ),
      addresses: new Map(identity.ip === 'keep' ? nics.flatMap(addressIn) : []),
    },
  }
}

const addressIn = ({ networkId, address }: KeptNic): [string, string][] =>
  networkId === null || address === null ? [] : [[networkId, address]]

function nicsIn(
  { name, nics }: SnapshotNics,
  { ip }: Pick<Identity, 'ip'>,
  request: AskedNics,
): readonly KeptNic[] {
  const conflictingField = (['networkIds', 'podNetwork', 'publicIp'] as const).find(
    (field) => (request[field] ?? null) !== null,
  )
  if (conflictingField) throw invalid(conflictingField, messageOf('vm_snapshot.networks_kept'))
  if (!nics) throw new Fault('wrong_state', messageOf('vm_snapshot.without_nics', { name }))
  if (ip === 'keep' && nics.every(({ address }) => address === null))
    throw invalid('identity.ip', messageOf('vm_snapshot.no_address_kept'))
  return nics
}
