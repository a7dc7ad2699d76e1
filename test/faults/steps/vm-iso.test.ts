import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Images, serveImages } from '../../support/sandbox/image-server.ts'
import { importedIso } from '../../support/actions/iso-template.ts'
import {
  type StepFault,
  StepFaultScenarios,
  stepFaultsOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { VmScenarios } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld } from '../../support/world/world.ts'

const kinds = ['deploy_vm', 'delete_vm'] as const

let images: Images
let world: World
let vms: VmScenarios
let scenarios: StepFaultScenarios
let expected: unknown[]
beforeAll(async () => {
  images = await serveImages()
  world = await aWorld()
  vms = await VmScenarios.in(world, { templateOf: (tenant) => importedIso(tenant, images) })
  scenarios = new StepFaultScenarios()
  expected = await vms.whole(await scenarios.begin([], vms.begin), kinds)
})
afterAll(async () => {
  scenarios[Symbol.dispose]()
  await images[Symbol.asyncDispose]()
})

describe.concurrent('the disks of a VM that is installed from an ISO', () => {
  test('a VM that is installed from an ISO has two disks, and both are deleted with it', () => {
    const objects = [
      'virtualmachines',
      'datavolumes',
      'datavolumes',
      'secrets',
      'networkpolicies',
    ].map((kind) => [kind, true])
    expect(expected).toMatchObject([
      { vm: { state: 'Running' }, objects },
      { vm: { gone: true }, objects: [] },
    ])
  })

  const faults = stepFaultsOf(kinds).filter(({ at }) => at.endsWith('.disk'))
  test.each(faults)(
    'a disk step with a fault ends like one without: $at $where $do',
    async (fault) => {
      const id = await scenarios.begin([fault], vms.begin)
      expect(await vms.whole(id, kinds)).toEqual(expected)
      expect(scenarios.isMet(id, fault)).toBe(true)
    },
  )

  describe('an ejected ISO', () => {
    /** Ejects the ISO of a VM that is off, and waits until its copy is gone. */
    async function eject(id: string): Promise<unknown> {
      await vms.ask('eject_vm_iso', id)
      await vms.ended('eject_vm_iso', id)
      const isRemoved = async (): Promise<boolean> => (await vms.row(id)).iso_uid === null
      await waitFor(isRemoved, { timeoutMs: 15_000, what: 'the copy of the ISO to be gone' })
      const trays = (await vms.vmSpec(id)).domain.devices.disks.map(
        ({ name }: { name: string }) => name,
      )
      return { trays, ...(await vms.left(id)) }
    }
    async function install(fault: StepFault & { delayMs?: number }): Promise<string> {
      const id = await scenarios.begin([fault], () => vms.begin({ start: false }))
      await vms.ended('deploy_vm', id)
      return id
    }

    test.each(stepFaultsOf(['eject_vm_iso']))(
      'an ejected ISO leaves one disk, even after a fault: $at $where $do',
      async (fault) => {
        const id = await install(fault)
        expect(await eject(id)).toMatchObject({
          trays: ['root', 'drivers', 'cloudinit'],
          vm: { state: 'Stopped' },
          objects: ['virtualmachines', 'datavolumes', 'secrets', 'networkpolicies'].map((kind) => [
            kind,
            true,
          ]),
          operations: [
            { kind: 'deploy_vm' },
            { kind: 'eject_vm_iso', state: 'succeeded', progress: 100, steps: ['vm done'] },
          ],
        })
        expect(scenarios.isMet(id, fault)).toBe(true)
      },
    )

    test.each(['before', 'after'] as const)(
      'a VM that is deleted while its ISO is ejected leaves nothing: %s',
      async (where) => {
        const at = 'eject_vm_iso.vm'
        const id = await install({ at, where, do: 'delay', delayMs: 150, nth: 1 })
        await vms.ask('eject_vm_iso', id)
        await waitFor(() => scenarios.arrivalsOf(id).includes(`${at} ${where}`), {
          timeoutMs: 15_000,
          what: `${where} ${at}`,
        })
        await vms.ask('delete_vm', id)
        await vms.ended('delete_vm', id)
        expect(await vms.left(id)).toMatchObject({ vm: { gone: true }, objects: [] })
      },
    )
  })

  test.each(['before', 'after'] as const)(
    'a VM that is deleted while its disks are created leaves nothing: %s',
    async (where) => {
      const at = 'deploy_vm.disk'
      const id = await scenarios.begin(
        [{ at, where, do: 'delay', delayMs: 150, nth: 1 }],
        vms.begin,
      )
      await waitFor(() => scenarios.arrivalsOf(id).includes(`${at} ${where}`), {
        timeoutMs: 15_000,
        what: `${where} the disks`,
      })
      await vms.ask('delete_vm', id)
      await vms.ended('delete_vm', id)
      expect(await vms.left(id)).toMatchObject({ vm: { gone: true }, objects: [] })
    },
  )
})
