import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Images, serveImages } from '../../support/sandbox/image-server.ts'
import { importedIso } from '../../support/actions/iso-template.ts'
import {
  type Trouble,
  TroubledLives,
  troublesOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { VmLives } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld } from '../../support/world/world.ts'

const kinds = ['deploy_vm', 'delete_vm'] as const

let images: Images
let world: World
let vms: VmLives
let lives: TroubledLives
let expected: unknown[]
beforeAll(async () => {
  images = await serveImages()
  world = await aWorld()
  vms = await VmLives.in(world, { templateOf: (tenant) => importedIso(tenant, images) })
  lives = new TroubledLives()
  expected = await vms.whole(await lives.begin([], vms.begin), kinds)
})
afterAll(async () => {
  lives[Symbol.dispose]()
  await images[Symbol.asyncDispose]()
})

describe.concurrent('the disks of a VM that is installed from an ISO', () => {
  test('are two, and both go with the VM', () => {
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

  const troubles = troublesOf(kinds).filter(({ at }) => at.endsWith('.disk'))
  test.each(troubles)(
    'that meet trouble end as if there had been none: $at $where $do',
    async (trouble) => {
      const id = await lives.begin([trouble], vms.begin)
      expect(await vms.whole(id, kinds)).toEqual(expected)
      expect(lives.isMet(id, trouble)).toBe(true)
    },
  )

  describe('of which the ISO is ejected', () => {
    /** Of a VM that is off: what it leaves has gone with that. */
    async function ejected(id: string): Promise<unknown> {
      await vms.ask('eject_vm_iso', id)
      await vms.ended('eject_vm_iso', id)
      const isRemoved = async (): Promise<boolean> => (await vms.row(id)).iso_uid === null
      await waitFor(isRemoved, { timeoutMs: 15_000, what: 'the copy of the ISO to be gone' })
      const trays = (await vms.machine(id)).domain.devices.disks.map(
        ({ name }: { name: string }) => name,
      )
      return { trays, ...(await vms.left(id)) }
    }
    async function installed(trouble: Trouble & { delayMs?: number }): Promise<string> {
      const id = await lives.begin([trouble], () => vms.begin({ start: false }))
      await vms.ended('deploy_vm', id)
      return id
    }

    test.each(troublesOf(['eject_vm_iso']))(
      'are one, also where that meets trouble: $at $where $do',
      async (trouble) => {
        const id = await installed(trouble)
        expect(await ejected(id)).toMatchObject({
          trays: ['root', 'drivers', 'cloudinit'],
          vm: { state: 'Stopped' },
          objects: ['virtualmachines', 'datavolumes', 'secrets', 'networkpolicies'].map((kind) => [
            kind,
            true,
          ]),
          operations: [
            { kind: 'deploy_vm' },
            { kind: 'eject_vm_iso', state: 'succeeded', progress: 100, steps: ['machine done'] },
          ],
        })
        expect(lives.isMet(id, trouble)).toBe(true)
      },
    )

    test.each(['before', 'after'] as const)(
      'go when the VM is deleted meanwhile: %s',
      async (where) => {
        const at = 'eject_vm_iso.machine'
        const id = await installed({ at, where, do: 'delay', delayMs: 150, nth: 1 })
        await vms.ask('eject_vm_iso', id)
        await waitFor(() => lives.arrivalsOf(id).includes(`${at} ${where}`), {
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
    'are gone when the VM is deleted while they are made: %s',
    async (where) => {
      const at = 'deploy_vm.disk'
      const id = await lives.begin([{ at, where, do: 'delay', delayMs: 150, nth: 1 }], vms.begin)
      await waitFor(() => lives.arrivalsOf(id).includes(`${at} ${where}`), {
        timeoutMs: 15_000,
        what: `${where} the disks`,
      })
      await vms.ask('delete_vm', id)
      await vms.ended('delete_vm', id)
      expect(await vms.left(id)).toMatchObject({ vm: { gone: true }, objects: [] })
    },
  )
})
