import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type OperationKind, operationKinds } from '../../server/src/domain/operation/kind.ts'

/**
 * Which files here fail each step, or take it twice, and which kill or pause a worker there. A kind
 * that is not in the table does not compile.
 */
const filesOf = {
  create_tenant: ['tenant-steps', 'tenant-steps'],
  delete_tenant: ['tenant-steps', 'tenant-steps'],
  import_iso: ['template-steps', 'template-steps'],
  delete_vm_template: ['template-steps', 'template-steps'],
  deploy_vm: ['vm-steps', 'vm-blows'],
  start_vm: ['vm-steps', 'vm-blows'],
  stop_vm: ['vm-steps', 'vm-blows'],
  restart_vm: ['vm-verb-steps', 'vm-blows'],
  pause_vm: ['vm-verb-steps', 'vm-blows'],
  resume_vm: ['vm-verb-steps', 'vm-blows'],
  resize_vm: ['vm-verb-steps', 'vm-blows'],
  attach_network: ['nic-steps', 'vm-blows'],
  detach_network: ['nic-steps', 'vm-blows'],
  eject_vm_iso: ['vm-iso-steps', 'vm-iso-blows'],
  expose_vm_ssh: ['vm-ssh-steps', 'vm-blows'],
  unexpose_vm_ssh: ['vm-ssh-steps', 'vm-blows'],
  set_vm_security_groups: ['security-group-steps', 'copy-blows'],
  apply_security_group: ['security-group-steps', 'copy-blows'],
  delete_vm: ['vm-steps', 'vm-blows'],
  create_vpc: ['network-steps', 'network-steps'],
  delete_vpc: ['network-steps', 'network-steps'],
  create_network: ['network-steps', 'network-steps'],
  delete_network: ['network-steps', 'network-steps'],
  create_volume: ['volume-steps', 'volume-blows'],
  resize_volume: ['volume-steps', 'volume-blows'],
  attach_volume: ['volume-steps', 'volume-blows'],
  detach_volume: ['volume-steps', 'volume-blows'],
  delete_volume: ['volume-steps', 'volume-blows'],
  create_volume_snapshot: ['volume-snapshot-steps', 'copy-blows'],
  delete_volume_snapshot: ['volume-snapshot-steps', 'copy-blows'],
  create_vm_snapshot: ['vm-snapshot-steps', 'copy-blows'],
  delete_vm_snapshot: ['vm-snapshot-steps', 'copy-blows'],
  restore_vm: ['vm-snapshot-steps', 'copy-blows'],
} as const satisfies Record<OperationKind, readonly [troubles: string, blows: string]>

const sourceOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

/** With the lives that it takes its kinds from. */
function wordsOf(file: string): string {
  const own = sourceOf(`${file}.test.ts`)
  const lives = [...own.matchAll(/'(\.\.\/support\/[a-z-]+-lives\.ts)'/g)].map(([, path = '']) =>
    sourceOf(path),
  )
  return [own, ...lives].join('\n')
}

describe('each kind of operation', () => {
  test('is in the table', () => {
    expect(Object.keys(filesOf).sort()).toEqual(Object.keys(operationKinds).sort())
  })

  test.each(Object.entries(filesOf))(
    'meets trouble, kills and pauses at each step that the registry has of it: %s',
    (kind, [troubles, blows]) => {
      expect(wordsOf(troubles)).toContain(`'${kind}'`)
      expect(sourceOf(`${troubles}.test.ts`)).toMatch(/livesOfTrouble\(|troublesOf\(|do: 'repeat'/)
      expect(wordsOf(blows)).toContain(`'${kind}'`)
      expect(sourceOf(`${blows}.test.ts`)).toMatch(/struckLives\([^]*new Set\(allStepPoints\(/)
    },
  )
})
