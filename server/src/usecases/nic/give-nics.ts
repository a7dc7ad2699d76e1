import { type FormerNics } from '../../domain/nic/former-nics.ts'
import { type AskedNics } from '../../domain/nic/rules.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { newMac } from '../../runtime/mac.ts'
import { type Op } from '../../store/op.ts'
import { type NicPlace, type NicSettings, nicPlaces } from './nic-places.ts'

interface NewOwner {
  id: string
  tenantId: string
}

/**
 * Gives a machine that was just written its NICs, with addresses that nobody else has; answers with
 * what tells of them.
 */
export async function giveNics(
  op: Op,
  { id: vmId, tenantId }: NewOwner,
  {
    asked,
    settings,
    former = null,
  }: { asked: AskedNics; settings: NicSettings; former?: FormerNics | null },
): Promise<Pick<VmView, 'mac' | 'addresses'>> {
  const places = await nicPlaces(op, { tenantId, asked, settings, former })
  const pod = asked.podNetwork === false ? [] : [{ kind: 'pod', place: null } as const]
  const macOf = ({ place }: NicPlace): string =>
    former?.macs.get(place?.networkId ?? null) ?? newMac()
  const nics = [...pod, ...places].map((nic, ordinal) => ({ ...nic, ordinal, mac: macOf(nic) }))
  const [first] = nics
  if (!first) throw new TypeError('a machine without a NIC was let through')
  await op.nics.insert({ vmId, tenantId, restSeconds: settings.addressRestSeconds }, nics)
  return { mac: first.mac, addresses: nics.flatMap(({ place }) => place?.address ?? []) }
}
