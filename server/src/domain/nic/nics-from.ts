import { publicNetwork } from '../network/public-network.ts'
import { type SeenAddress } from '../vm/seen.ts'
import { type NicRow, type NicState, type NicView, nicName } from './nic.ts'

/** Its guest leaves its networks by this one: two ways out would be one too many. */
export const primaryOf = <Some extends Pick<NicRow, 'kind'>>(nics: readonly Some[]): Some | undefined =>
  nics.find(({ kind }) => kind === 'public') ?? nics[0]

/** With what the public network, which has no row, is called. */
export const named = <Some extends NicRow>(nic: Some): Some => {
  if (nic.kind !== 'public') return nic
  const { name: networkName, attachmentNamespace, attachmentName } = publicNetwork
  return { ...nic, networkName, attachmentNamespace, attachmentName }
}

/** What is known of the NICs of a machine, with what was seen of them. */
export function nicsFrom(rows: readonly NicRow[], seen: readonly SeenAddress[]): NicView[] {
  const primary = primaryOf(rows)
  return rows.map((row) => {
    const { isLeaving, ...nic } = named(row)
    const name = nicName(row.ordinal)
    const found = seen.find((each) => each.name === name)
    return {
      ...nic,
      name,
      isPrimary: row === primary,
      state: stateOf({ isLeaving, isThere: Boolean(found) }),
      seenAddress: found?.ip ?? null,
    }
  })
}

function stateOf({ isLeaving, isThere }: { isLeaving: boolean; isThere: boolean }): NicState {
  if (isLeaving) return 'leaving'
  return isThere ? 'connected' : 'waiting'
}
