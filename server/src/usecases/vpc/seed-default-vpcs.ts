import { type NetworkSettings } from '../../domain/network/network-settings.ts'
import { type Store } from '../../store/store.ts'
import { addDefaultVpc } from './add-vpc.ts'

/**
 * Adds the first VPC to each tenant without one: the default tenant, and tenants from before VPCs
 * existed. It runs at every start.
 */
export async function seedDefaultVpcs(
  store: Pick<Store, 'work'>,
  networking: NetworkSettings,
): Promise<void> {
  // This work has no lease that could be lost.
  const noFence = () => Promise.resolve()
  await store.work({ scope: 'platform', fence: noFence }, async (op) => {
    for (const { id } of await op.vpcs.tenantsWithout()) await addDefaultVpc(op, id, networking)
  })
}
