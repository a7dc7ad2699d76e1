import { aForeignVm, untilShown } from '../actions/unmanaged-vm-actions.ts'
import { type Json } from '../json.ts'
import { vmShows } from './vm-fixtures.ts'
import { type FixtureContext, type RouteFixture, by, under } from './request-fixture.ts'

/** A VM that another client created in the namespace of the tenant. */
async function anUnmanagedVm({ world, tenant }: FixtureContext): Promise<Json> {
  const { name } = await aForeignVm(world, tenant)
  return untilShown(tenant, name, ({ status }) => status !== null)
}

export const unmanagedVmMakers = { unmanagedVm: anUnmanagedVm }

/** A successful request for each REST route of VMs that Berth does not manage. */
export const unmanagedVmFixtures: Readonly<Record<string, RouteFixture>> = {
  'GET /api/v1/unmanaged-vms': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => {
      await anUnmanagedVm(context)
      return {
        path: '/unmanaged-vms',
        shows: under(
          'unmanaged_vms',
          'status cpu memory_mi disks.source disks.size_gi disks.storage_class',
        ),
      }
    },
  },
  'POST /api/v1/unmanaged-vms/{name}/adopt': {
    ...by.admin,
    status: 201,
    arrange: async (context) => ({
      path: `/unmanaged-vms/${(await anUnmanagedVm(context)).name}/adopt`,
      body: {},
      isOnlyBody: true,
      // No template is known of a VM that another client created.
      shows: under('vm', vmShows.replace(' template_ref', '')),
    }),
  },
}
