import { expect, test } from 'vitest'
import { does, guestPassword, shellOf } from '../../support/sandbox/guest-shell.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { vmActions } from '../../support/actions/vm-actions.ts'
import { VmSnapshotActions } from '../../support/actions/vm-snapshot-actions.ts'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { aWorld } from '../../support/world/world.ts'

/** The user of the template's image. */
const user = 'ubuntu'

test('a restore brings back the disks of a VM, and its safety snapshot brings back the later state', async () => {
  const world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  const tenant = await world.tenant()
  await make.volume({ world, tenant })
  const volumes = new VolumeActions(world, tenant)
  const snapshots = new VmSnapshotActions(world, tenant)
  const vms = await vmActions(tenant.admin)
  const { id: volumeId } = await volumes.bound()
  const vm = await vms.running({
    rootDisk: 'persistent',
    bootDiskSizeGi: 1,
    cloudInitPassword: guestPassword,
    dataVolumeId: volumeId,
  })
  await volumes.inState(volumeId, 'attached')
  const writer = await shellOf(tenant.admin, vm.id, user)
  for (const command of ['sudo mkfs.ext4 /dev/sda', 'sudo mount /dev/sda /mnt'])
    await does(writer, command)
  const write = async (word: string): Promise<void> => {
    for (const file of ['/mnt/note', 'note']) await does(writer, `echo ${word} | sudo tee ${file}`)
  }
  const mustFind = async (word: string): Promise<void> => {
    await vms.ask('startVm', vm.id)
    await vms.inState(vm.id, 'Running')
    const reader = await shellOf(tenant.admin, vm.id, user)
    await does(reader, 'sudo mount /dev/sda /mnt')
    for (const file of ['/mnt/note', 'note'])
      await reader.typeAndExpect(`cat ${file}\r`, new RegExp(`\\n${word}\\r?\\n`))
  }
  await write('before')
  const { id } = await snapshots.taken(vm.id)
  await write('after')
  const { safetySnapshot } = await snapshots.restored(vm.id, id, { stop: true })
  await mustFind('before')
  await snapshots.restored(vm.id, safetySnapshot.id, { stop: true, safetySnapshot: false })
  await mustFind('after')
  expect(await volumes.read(volumeId)).toMatchObject({ state: 'attached', vmId: vm.id })
}, 120_000)
