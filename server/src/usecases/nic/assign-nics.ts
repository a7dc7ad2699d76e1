import { type InheritedNics } from '../../domain/nic/inherited-nics.ts'
import { type NicsRequest } from '../../domain/nic/rules.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { newMac } from '../../runtime/mac.ts'
import { type Op } from '../../store/op.ts'
import { type AllocatedNic, type NicSettings, allocateAddresses } from './allocate-addresses.ts'

interface NewOwner {
  id: string
  tenantId: string
}

/**
 * Assigns NICs with free addresses to a VM that was just inserted. Returns the MAC and the
 * addresses.
 */
export async function assignNics(
  op: Op,
  { id: vmId, tenantId }: NewOwner,
  {
    request,
    settings,
    former = null,
  }: { request: NicsRequest; settings: NicSettings; former?: InheritedNics | null },
): Promise<Pick<VmView, 'mac' | 'addresses'>> {
  const purpose = former === null ? 'new_vm' : 'clone'
  const allocated = await allocateAddresses(op, { tenantId, request, settings, purpose, former })
  const pod = request.podNetwork === false ? [] : [{ kind: 'pod', networkAddress: null } as const]
  const macOf = (nic: AllocatedNic): string =>
    former?.macs.get(nic.networkAddress?.networkId ?? null) ?? newMac()
  const nics = [...pod, ...allocated].map((nic, ordinal) => ({ ...nic, ordinal, mac: macOf(nic) }))
  const [first] = nics
  if (!first) throw new TypeError('a VM without a NIC was accepted')
  await op.nics.insert({ vmId, tenantId, restSeconds: settings.addressRestSeconds }, nics)
  return { mac: first.mac, addresses: nics.flatMap((nic) => nic.networkAddress?.address ?? []) }
}
