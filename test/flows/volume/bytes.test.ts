import { expect, test } from 'vitest'
import { does, guestPassword, shellOf } from '../../support/sandbox/guest-shell.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { vmActions } from '../../support/actions/vm-actions.ts'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { aWorld, unique } from '../../support/world/world.ts'

test('data on a volume moves with it to the next VM, and a snapshot keeps the earlier data', async () => {
  const world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  const tenant = await world.tenant()
  await make.volume({ world, tenant })
  const volumes = new VolumeActions(world, tenant)
  const vms = await vmActions(tenant.admin)

  const { id, serial } = await volumes.bound()
  const first = await vms.running({ cloudInitPassword: guestPassword, dataVolumeId: id })
  await volumes.inState(id, 'attached')
  const writer = await shellOf(tenant.admin, first.id)
  await writer.typeAndExpect('lsblk\r', serial)
  for (const command of [
    'sudo mkfs.ext4 /dev/sda',
    'sudo mount /dev/sda /mnt',
    'echo before | sudo tee /mnt/note',
  ])
    await does(writer, command)
  const { volumeSnapshot } = await volumes.askSnapshot('createVolumeSnapshot', {
    volumeId: id,
    name: unique('snap'),
  })
  for (const command of ['echo after | sudo tee /mnt/note', 'sudo umount /mnt'])
    await does(writer, command)
  expect((await volumes.ask('detachVolume', { id })).operation.state).toBe('succeeded')

  const second = await vms.running({ cloudInitPassword: guestPassword })
  const restored = await volumes.made({ snapshotId: volumeSnapshot.id })
  const reader = await shellOf(tenant.admin, second.id)
  for (const [volumeId, word] of [
    [id, 'after'],
    [restored.id, 'before'],
  ] as const) {
    expect(
      (await volumes.ask('attachVolume', { id: volumeId, vmId: second.id })).operation.state,
    ).toBe('succeeded')
    await does(reader, 'sudo mount /dev/sda /mnt')
    await reader.typeAndExpect('cat /mnt/note\r', new RegExp(`\\n${word}\\r?\\n`))
    await does(reader, 'sudo umount /mnt')
    expect((await volumes.ask('detachVolume', { id: volumeId })).operation.state).toBe('succeeded')
  }
}, 90_000)
