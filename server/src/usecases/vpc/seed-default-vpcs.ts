import { type Networking } from '../../domain/network/networking.ts'
import { type Store } from '../../store/store.ts'
import { addDefaultVpc } from './add-vpc.ts'

/**
 * Gives each tenant that never had a VPC its first one: the default tenant, and those of the time
 * before there were VPCs. Runs at every start.
 */
export async function seedDefaultVpcs(
  store: Pick<Store, 'work'>,
  networking: Networking,
): Promise<void> {
  // Nobody works here under a lease that could be lost.
  const guard = () => Promise.resolve()
  await store.work({ scope: 'platform', guard }, async (op) => {
    for (const { id } of await op.vpcs.tenantsWithout()) await addDefaultVpc(op, id, networking)
  })
}
