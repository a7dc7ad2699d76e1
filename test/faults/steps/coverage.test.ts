import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type OperationKind, operationKinds } from '../../../server/src/domain/nouns.ts'
import {
  type VmiCommand,
  vmiCommands,
  powerOperationKindFor,
} from '../../../server/src/domain/vm/power-verbs.ts'

/** These files take every VMI command from `vmiCommands`, and therefore name none of them. */
// `Object.fromEntries` returns string keys; these keys are built from the verbs alone.
const runOrderFiles = Object.fromEntries(
  vmiCommands.map((verb) => [powerOperationKindFor(verb), ['steps/vm-verb', 'workers/vm']]),
) as unknown as Readonly<Record<`${VmiCommand}_vm`, readonly ['steps/vm-verb', 'workers/vm']>>

/**
 * The files here that fail or repeat each step, and the files that kill or pause a worker there. A
 * kind that is missing in the table does not compile.
 */
const filesOf = {
  create_tenant: ['steps/tenant', 'steps/tenant'],
  delete_tenant: ['steps/tenant', 'steps/tenant'],
  import_iso: ['steps/template', 'steps/template'],
  delete_vm_template: ['steps/template', 'steps/template'],
  deploy_vm: ['steps/vm', 'workers/vm'],
  start_vm: ['steps/vm', 'workers/vm'],
  stop_vm: ['steps/vm', 'workers/vm'],
  ...runOrderFiles,
  resize_vm: ['steps/vm-verb', 'workers/vm'],
  attach_network: ['steps/nic', 'workers/vm'],
  detach_network: ['steps/nic', 'workers/vm'],
  eject_vm_iso: ['steps/vm-iso', 'workers/vm-iso'],
  expose_vm_ssh: ['steps/vm-ssh', 'workers/vm'],
  unexpose_vm_ssh: ['steps/vm-ssh', 'workers/vm'],
  set_vm_security_groups: ['steps/security-group', 'workers/snapshots-and-clones'],
  apply_security_group: ['steps/security-group', 'workers/snapshots-and-clones'],
  delete_vm: ['steps/vm', 'workers/vm'],
  create_vpc: ['steps/network', 'steps/network'],
  delete_vpc: ['steps/network', 'steps/network'],
  create_network: ['steps/network', 'steps/network'],
  delete_network: ['steps/network', 'steps/network'],
  create_volume: ['steps/volume', 'workers/volume'],
  resize_volume: ['steps/volume', 'workers/volume'],
  attach_volume: ['steps/volume', 'workers/volume'],
  detach_volume: ['steps/volume', 'workers/volume'],
  delete_volume: ['steps/volume', 'workers/volume'],
  create_volume_snapshot: ['steps/volume-snapshot', 'workers/snapshots-and-clones'],
  delete_volume_snapshot: ['steps/volume-snapshot', 'workers/snapshots-and-clones'],
  create_vm_snapshot: ['steps/vm-snapshot', 'workers/snapshots-and-clones'],
  delete_vm_snapshot: ['steps/vm-snapshot', 'workers/snapshots-and-clones'],
  restore_vm: ['steps/vm-snapshot', 'workers/snapshots-and-clones'],
} as const satisfies Record<OperationKind, readonly [stepFaults: string, workerFaults: string]>

const nameOf = (kind: string): string => (kind in runOrderFiles ? '...vmiCommands]' : `'${kind}'`)

const sourceOf = (path: string): string =>
  readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

/** Returns the source of a test file and of the scenarios that it imports. */
function sourcesOf(file: string): string {
  const own = sourceOf(`${file}.test.ts`)
  const scenarios = [
    ...own.matchAll(/'\.\.\/(\.\.\/support\/scenarios\/[a-z-]+-scenarios\.ts)'/g),
  ].map(([, path = '']) => sourceOf(path))
  return [own, ...scenarios].join('\n')
}

describe('each kind of operation', () => {
  test('each kind of operation is in the table', () => {
    expect(Object.keys(filesOf).sort()).toEqual(Object.keys(operationKinds).sort())
  })

  test.each(Object.entries(filesOf))(
    'each kind of operation has tests with faults, kills and pauses at each of its steps: %s',
    (kind, [stepFaults, workerFaults]) => {
      expect(sourcesOf(stepFaults)).toContain(nameOf(kind))
      expect(sourceOf(`${stepFaults}.test.ts`)).toMatch(
        /stepFaultScenarios\(|stepFaultsOf\(|do: 'repeat'/,
      )
      expect(sourcesOf(workerFaults)).toContain(nameOf(kind))
      expect(sourceOf(`${workerFaults}.test.ts`)).toMatch(
        /workerFaultScenarios\([^]*new Set\(allStepFailpoints\(/,
      )
    },
  )
})
