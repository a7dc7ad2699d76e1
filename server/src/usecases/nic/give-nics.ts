import { type AskedNics } from '../../domain/nic/rules.ts'
import { newMac } from '../../runtime/mac.ts'
import { type NewNic } from '../../store/nic.ts'
import { type Op } from '../../store/op.ts'
import { type NicSettings, nicPlaces } from './nic-places.ts'

interface NewOwner {
  id: string
  tenantId: string
}

/** Gives a machine that was just written its NICs, with addresses that nobody else has; answers with the first. */
export async function giveNics(
  op: Op,
  { id: vmId, tenantId }: NewOwner,
  { asked, settings }: { asked: AskedNics; settings: NicSettings },
): Promise<NewNic> {
  const places = await nicPlaces(op, { tenantId, asked, settings })
  const pod = asked.podNetwork === false ? [] : [{ kind: 'pod', place: null } as const]
  const nics = [...pod, ...places].map((nic, ordinal) => ({ ...nic, ordinal, mac: newMac() }))
  const [first] = nics
  if (!first) throw new TypeError('a machine without a NIC was let through')
  await op.nics.insert({ vmId, tenantId, restSeconds: settings.addressRestSeconds }, nics)
  return first
}
