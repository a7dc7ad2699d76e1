import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type OperationKind, operationKinds } from '../../../server/src/domain/nouns.ts'
import { vmiCommands, powerOperationKindFor } from '../../../server/src/domain/vm/power-verbs.ts'

/** The file that fails or repeats each step, and the file that kills or pauses a worker there. */
type FaultFiles = readonly [stepFaults: string, workerFaults: string]

/** These files take every VMI command from `vmiCommands`, and therefore name none of them. */
const filesOfCommands: FaultFiles = ['steps/vm-verb', 'workers/vm']
const ofCommands = Object.fromEntries(
  vmiCommands.map((verb) => [powerOperationKindFor(verb), filesOfCommands]),
)

/** The files of the kinds that are not both in the file of their noun. */
const otherFiles: Partial<Record<OperationKind, FaultFiles>> = {
  import_iso: ['steps/template', 'steps/template'],
  delete_vm_template: ['steps/template', 'steps/template'],
  deploy_vm: ['steps/vm', 'workers/vm'],
  start_vm: ['steps/vm', 'workers/vm'],
  stop_vm: ['steps/vm', 'workers/vm'],
  ...ofCommands,
  resize_vm: ['steps/vm-verb', 'workers/vm'],
  attach_network: ['steps/nic', 'workers/vm'],
  detach_network: ['steps/nic', 'workers/vm'],
  adopt_vm: ['steps/vm-adoption', 'workers/vm-adoption'],
  resolve_vm_drift: ['steps/vm-verb', 'workers/vm'],
  eject_vm_iso: ['steps/vm-iso', 'workers/vm-iso'],
  expose_vm_ssh: ['steps/vm-ssh', 'workers/vm'],
  unexpose_vm_ssh: ['steps/vm-ssh', 'workers/vm'],
  set_vm_security_groups: ['steps/security-group', 'workers/snapshots-and-clones'],
  apply_security_group: ['steps/security-group', 'workers/snapshots-and-clones'],
  delete_vm: ['steps/vm', 'workers/vm'],
  create_vpc: ['steps/network', 'steps/network'],
  delete_vpc: ['steps/network', 'steps/network'],
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
}

/** Returns `steps/tenant` for `create_tenant`. */
const fileOfNoun = (kind: string): string =>
  `steps/${kind.replace(/^[a-z]+_/, '').replaceAll('_', '-')}`

const nameOf = (kind: string): string => (kind in ofCommands ? '...vmiCommands]' : `'${kind}'`)

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

// Object.keys returns strings; the table has no keys other than its kinds.
test.each(Object.keys(operationKinds) as OperationKind[])(
  'each kind of operation has tests with faults, kills and pauses at each of its steps: %s',
  (kind) => {
    const ofNoun = fileOfNoun(kind)
    const [stepFaults, workerFaults] = otherFiles[kind] ?? [ofNoun, ofNoun]
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
