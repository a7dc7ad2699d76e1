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
 * Assigns NICs with free addresses to a VM that was just inserted. Returns the MAC and the
 * addresses.
 */
export async function giveNics(
  op: Op,
  { id: vmId, tenantId }: NewOwner,
  {
    request,
    settings,
    former = null,
  }: { request: AskedNics; settings: NicSettings; former?: FormerNics | null },
): Promise<Pick<VmView, 'mac' | 'addresses'>> {
  const allocated = await nicPlaces(op, { tenantId, request, settings, former })
  const pod = request.podNetwork === false ? [] : [{ kind: 'pod', place: null } as const]
  const macOf = (nic: NicPlace): string =>
    former?.macs.get(nic.place?.networkId ?? null) ?? newMac()
  const nics = [...pod, ...allocated].map((nic, ordinal) => ({ ...nic, ordinal, mac: macOf(nic) }))
  const [first] = nics
  if (!first) throw new TypeError('a VM without a NIC was accepted')
  await op.nics.insert({ vmId, tenantId, restSeconds: settings.addressRestSeconds }, nics)
  return { mac: first.mac, addresses: nics.flatMap((nic) => nic.place?.address ?? []) }
}
