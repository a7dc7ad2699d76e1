import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Images, serveImages } from '../../support/sandbox/image-server.ts'
import { importedIso } from '../../support/actions/iso-template.ts'
import { VmSnapshotActions } from '../../support/actions/vm-snapshot-actions.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

const drivers = 'registry.example/drivers:1'

let images: Images
let world: World
let tenant: WorldTenant
let template: Json
beforeAll(async () => {
  images = await serveImages()
  world = await aWorld({
    config: (config) => void (config.platform.windows.driversImage = drivers),
  })
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
  template = await importedIso(tenant, images)
})
afterAll(() => images[Symbol.asyncDispose]())

const create = `mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id name mac sourceType osType secureBoot rootDisk bootDiskSizeGi }
  operation { id } } }`
const ask = (input: Json) =>
  tenant.admin.graphql(create, {
    i: { name: unique('iso'), templateId: template.id, memoryMi: 2048, ...input },
  })
const deployed = async (input: Json = {}): Promise<Json> => {
  const { vm } = (await ask(input)).data.createVm
  expect(await world.ended('deploy_vm', vm.id)).toMatchObject({ state: 'succeeded' })
  return vm
}
const removeTemplate = (id: string) =>
  tenant.admin.graphql(
    'mutation ($i: DeleteVmTemplateInput!) { deleteVmTemplate(input: $i) { operation { id } } }',
    { i: { id } },
  )

const inTenant = async (group: string, plural: string, name: string): Promise<Json> =>
  (await world.cluster.call(`/apis/${group}/namespaces/${tenant.namespace}/${plural}/${name}`)).body
const dataVolume = (name: string): Promise<Json> =>
  inTenant('cdi.kubevirt.io/v1beta1', 'datavolumes', name)
const specOf = async ({ name }: Json): Promise<Json> =>
  (await inTenant('kubevirt.io/v1', 'virtualmachines', name)).spec.template.spec
const disksOf = ({ domain, volumes }: Json): Json[] =>
  domain.devices.disks.map((disk: Json) => ({
    ...volumes.find(({ name }: Json) => name === disk.name),
    ...disk,
  }))

describe('a VM from an ISO', () => {
  test('a Windows VM boots from an empty disk before its ISO and has hardware that Windows knows', async () => {
    const vm = await deployed({ bootDiskSizeGi: 3 })
    expect(vm).toMatchObject({
      sourceType: 'iso',
      osType: 'windows',
      secureBoot: false,
      rootDisk: 'persistent',
      bootDiskSizeGi: 3,
    })
    const { volumes } = (await tenant.admin.rest('GET', `/vms/${vm.name}/volumes`)).body
    expect(volumes).toMatchObject([
      { role: 'root', pvc_name: `vm-${vm.id}-root`, size_gi: 3 },
      { role: 'iso', pvc_name: `vm-${vm.id}-iso`, size_gi: 1 },
    ])
    const spec = await specOf(vm)
    expect(disksOf(spec)).toEqual([
      expect.objectContaining({
        name: 'root',
        disk: { bus: 'sata' },
        bootOrder: 1,
        persistentVolumeClaim: { claimName: `vm-${vm.id}-root` },
      }),
      expect.objectContaining({
        name: 'iso',
        bootOrder: 2,
        persistentVolumeClaim: { claimName: `vm-${vm.id}-iso` },
        cdrom: expect.objectContaining({ bus: 'sata' }),
      }),
      expect.objectContaining({
        name: 'drivers',
        containerDisk: expect.objectContaining({ image: drivers }),
      }),
      expect.objectContaining({
        name: 'cloudinit',
        cdrom: expect.objectContaining({ bus: 'sata' }),
      }),
    ])
    expect(spec.domain).toMatchObject({
      firmware: { uuid: vm.id, bootloader: { efi: { secureBoot: false } } },
      features: {
        hyperv: {
          relaxed: expect.anything(),
          vapic: expect.anything(),
          spinlocks: { spinlocks: 8191 },
        },
      },
      clock: { timer: { hyperv: expect.anything(), hpet: { present: false } } },
      devices: {
        tpm: { persistent: false },
        interfaces: [{ model: 'e1000e', macAddress: vm.mac }],
      },
    })
    const blank = await dataVolume(`vm-${vm.id}-root`)
    expect(blank.spec).toMatchObject({
      source: { blank: {} },
      storage: { resources: { requests: { storage: '3Gi' } } },
    })
    const copy = await dataVolume(`vm-${vm.id}-iso`)
    expect(copy.spec.source.pvc).toEqual({
      namespace: tenant.namespace,
      name: `iso-${template.id}`,
    })
    expect(copy.status.phase).toBe('Succeeded')
  })

  test('a Linux VM has virtio disks, cloud-init and no drivers, and its firmware fits secure boot', async () => {
    const linux = await importedIso(tenant, images, { osType: 'linux' })
    const plain = await specOf(await deployed({ templateId: linux.id }))
    expect(disksOf(plain).map(({ name, disk }) => [name, disk?.bus ?? null])).toEqual([
      ['root', 'virtio'],
      ['iso', null],
      ['cloudinit', 'virtio'],
    ])
    expect(plain.domain).toMatchObject({
      firmware: { bootloader: { bios: {} } },
      devices: { interfaces: [{ model: 'virtio' }] },
    })
    expect(plain.domain.devices.tpm).toBeUndefined()
    const secure = await deployed({ templateId: linux.id, secureBoot: true })
    expect(secure.secureBoot).toBe(true)
    expect((await specOf(secure)).domain).toMatchObject({
      firmware: { bootloader: { efi: { secureBoot: true } } },
      features: { smm: { enabled: true } },
    })
  })

  test('a VM keeps its identity over a stop and a start, and leaves nothing when it is deleted', async () => {
    const vm = await deployed()
    const before = await specOf(vm)
    for (const [verb, kind] of [
      ['stopVm', 'stop_vm'],
      ['startVm', 'start_vm'],
    ] as const) {
      await tenant.admin.ask(`mutation ($id: ID!) { ${verb}(input: { id: $id }) { vm { id } } }`, {
        id: vm.id,
      })
      expect(await world.ended(kind, vm.id)).toMatchObject({ state: 'succeeded' })
    }
    const after = await specOf(vm)
    expect(after.domain.firmware).toEqual(before.domain.firmware)
    expect(after.domain.devices).toEqual(before.domain.devices)
    await tenant.admin.ask('mutation ($id: ID!) { deleteVm(input: { id: $id }) { vm { id } } }', {
      id: vm.id,
    })
    expect(await world.ended('delete_vm', vm.id)).toMatchObject({ state: 'succeeded' })
    const left = await world.cluster.call(
      `/apis/cdi.kubevirt.io/v1beta1/namespaces/${tenant.namespace}/datavolumes?labelSelector=berth.dev/row-id=${vm.id}`,
    )
    expect(left.body.items).toEqual([])
  })

  test('a VM boots without an ejected ISO, and the space is released when no VMI uses it', async () => {
    const vm = await deployed()
    const document = `mutation ($i: EjectVmIsoInput!) { ejectVmIso(input: $i, waitSeconds: 20) { applies vm { isoInserted } operation { state } } }`
    const eject = async (id: string) => (await tenant.admin.ask(document, { i: { id } })).ejectVmIso
    const shown = async (): Promise<Json> =>
      (
        await tenant.admin.ask(
          'query ($id: ID!) { vm(id: $id) { state restartRequired actions { action refusal } } }',
          { id: vm.id },
        )
      ).vm
    const refusalOf = async (): Promise<string | null> =>
      (await shown()).actions.find(({ action }: Json) => action === 'ejectIso').refusal
    const storage = async (): Promise<number> => {
      const { quota } = (
        await world.root.ask('query ($id: ID!) { tenant(id: $id) { quota { resource used } } }', {
          id: tenant.id,
        })
      ).tenant
      return quota.find(({ resource }: Json) => resource === 'storageGi').used
    }
    expect(await refusalOf()).toBeNull()
    const before = await storage()
    expect(await eject(vm.id)).toEqual({
      applies: 'next_start',
      vm: { isoInserted: false },
      operation: { state: 'succeeded' },
    })
    expect(await refusalOf()).toContain('ejected already')
    expect((await tenant.admin.graphql(document, { i: { id: vm.id } })).code).toBe('wrong_state')
    expect(disksOf(await specOf(vm)).map(({ name }) => name)).not.toContain('iso')
    await waitFor(async () => (await shown()).restartRequired, {
      timeoutMs: 10_000,
      what: 'a restart to be required',
    })
    // The running guest still has the ISO, so the disk still counts.
    const vmi = await inTenant('kubevirt.io/v1', 'virtualmachineinstances', vm.name)
    expect(vmi.spec.volumes.map(({ name }: Json) => name)).toContain('iso')
    expect([(await dataVolume(`vm-${vm.id}-iso`)).status.phase, await storage()]).toEqual([
      'Succeeded',
      before,
    ])
    await tenant.admin.ask('mutation ($id: ID!) { restartVm(input: { id: $id }) { vm { id } } }', {
      id: vm.id,
    })
    expect(await world.ended('restart_vm', vm.id)).toMatchObject({ state: 'succeeded' })
    await waitFor(async () => (await storage()) === before - 1, {
      timeoutMs: 15_000,
      what: 'the space to be released',
    })
    expect((await dataVolume(`vm-${vm.id}-iso`)).code).toBe(404)
    expect(
      (await inTenant('kubevirt.io/v1', 'virtualmachineinstances', vm.name)).spec.volumes.map(
        ({ name }: Json) => name,
      ),
    ).not.toContain('iso')
    const off = await deployed({ start: false })
    expect(await eject(off.id)).toMatchObject({ applies: 'at_once' })
  })

  test('a detach of a built-in disk is refused with what to do instead', async () => {
    const detach = async (id: string) =>
      tenant.admin.graphql(
        'mutation ($i: DetachVolumeInput!) { detachVolume(input: $i) { volume { id } } }',
        { i: { id } },
      )
    const answers = await Promise.all(['root', 'iso', 'cloudinit'].map(detach))
    expect(answers.map(({ code }) => code)).toEqual([
      'invalid_input',
      'invalid_input',
      'invalid_input',
    ])
    expect(answers[1]?.text).toContain('eject the ISO instead')
  })

  test('a VM is deployed on a storage class that binds at first use, running or stopped', async () => {
    const local = await importedIso(tenant, images, { storageClass: 'local-path' })
    const on = await deployed({ templateId: local.id })
    const root = await dataVolume(`vm-${on.id}-root`)
    expect(root.metadata.annotations ?? {}).not.toHaveProperty([
      'cdi.kubevirt.io/storage.bind.immediate.requested',
    ])
    const off = await deployed({ templateId: local.id, start: false })
    expect((await dataVolume(`vm-${off.id}-iso`)).status.phase).toBe('Succeeded')
  })

  test('a VM is deployed only after its ISO is copied, and its template is in use until then', async () => {
    const short = await importedIso(tenant, images)
    await sandboxFaults(world.cluster).inject('controllers/hold', { controller: 'clone-populator' })
    const { vm } = (await ask({ templateId: short.id, start: false })).data.createVm
    const state = async (): Promise<string> =>
      (await tenant.admin.ask('query ($id: ID!) { vm(id: $id) { state } }', { id: vm.id })).vm.state
    await waitFor(async () => (await state()) === 'Provisioning', {
      timeoutMs: 10_000,
      what: 'the VM to wait for its disks',
    })
    expect((await removeTemplate(short.id)).code).toBe('in_use')
    await sandboxFaults(world.cluster).inject('controllers/release', {
      controller: 'clone-populator',
    })
    expect(await world.ended('deploy_vm', vm.id)).toMatchObject({ state: 'succeeded' })
    expect(await state()).toBe('Stopped')
    expect((await removeTemplate(short.id)).code).toBeNull()
    expect(await world.ended('delete_vm_template', short.id)).toMatchObject({ state: 'succeeded' })
    await tenant.admin.ask('mutation ($id: ID!) { startVm(input: { id: $id }) { vm { id } } }', {
      id: vm.id,
    })
    expect(await world.ended('start_vm', vm.id)).toMatchObject({ state: 'succeeded' })
  })

  test('a clone that is being deployed does not keep the ISO template of its VM in use', async () => {
    const short = await importedIso(tenant, images)
    const vm = await deployed({ templateId: short.id, start: false })
    const snapshots = new VmSnapshotActions(world, tenant)
    const { id: snapshotId } = await snapshots.taken(vm.id)
    const controller = 'virtualmachine-controller'
    const faults = sandboxFaults(world.cluster)
    await faults.inject('controllers/hold', { controller })
    onTestFinished(async () => void (await faults.inject('controllers/release', { controller })))
    const identity = { hostname: 'keep', machineId: 'keep', hostKeys: 'keep' }
    const clone = { snapshotId, name: unique('clone'), start: false, identity }
    const { operation } = await snapshots.ask('cloneVmSnapshot', clone, 0)
    expect(operation.state).not.toBe('succeeded')
    expect((await removeTemplate(short.id)).code).toBeNull()
  })

  test('a VM is Failed at once when its ISO was not imported, and leaves nothing when it is deleted', async () => {
    const { vmTemplates } = await tenant.admin.ask(
      '{ vmTemplates(filter: { search: "windows-server-2022" }) { nodes { id } } }',
    )
    const { vm } = (await ask({ templateId: vmTemplates.nodes[0].id })).data.createVm
    expect(await world.ended('deploy_vm', vm.id)).toMatchObject({
      state: 'failed',
      fault_code: 'template_not_ready',
    })
    const isGone = async (): Promise<boolean> => {
      const rows = await world.database.sql(`select gone_at from vm where id = '${vm.id}'`)
      return rows.some(({ gone_at }) => gone_at !== null)
    }
    expect(await isGone()).toBe(false)
    await tenant.admin.ask('mutation ($i: DeleteVmInput!) { deleteVm(input: $i) { vm { id } } }', {
      i: { id: vm.id },
    })
    await waitFor(isGone, { timeoutMs: 10_000, what: 'the VM to be gone' })
  })

  test('a VM is refused with an ephemeral disk, and with an ISO that is still importing', async () => {
    expect((await ask({ rootDisk: 'ephemeral' })).code).toBe('invalid_input')
    const i = {
      name: unique('slow'),
      sourceType: 'iso',
      image: `${images.origin}/never.slow.iso`,
      isoSizeGi: 1,
    }
    const made = await tenant.admin.ask(
      'mutation ($i: CreateVmTemplateInput!) { createVmTemplate(input: $i) { vmTemplate { id } } }',
      {
        i,
      },
    )
    expect((await ask({ templateId: made.createVmTemplate.vmTemplate.id })).code).toBe(
      'template_not_ready',
    )
  })
})
