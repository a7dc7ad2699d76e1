import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files whose tests take half a minute or more, the longest first. Vitest would start large
 * files first, but some of the longest are small. A long file that starts last leaves all cores but
 * one idle.
 */
export const longest = [
  'test/faults/workers/vm.test.ts',
  'test/faults/engine/commit-cut.test.ts',
  'test/contract/rest/rows.test.ts',
  'test/faults/steps/tenant.test.ts',
  'test/faults/races/storage.test.ts',
  'test/faults/workers/snapshots-and-clones.test.ts',
  'test/faults/steps/network.test.ts',
  'test/flows/platform/idempotency.test.ts',
  'test/flows/tenant/foreign-ids.test.ts',
  'test/e2e/pages.test.ts',
  'test/flows/identity/audit.test.ts',
  'test/faults/steps/template.test.ts',
  'test/flows/vm/snapshots.test.ts',
  'test/faults/steps/vm.test.ts',
  'test/flows/template/iso-import.test.ts',
  'test/faults/steps/snapshot-schedule.test.ts',
  'test/faults/engine/nemesis.test.ts',
  'test/faults/engine/kill.test.ts',
  'test/faults/steps/vm-snapshot.test.ts',
  'test/flows/development.test.ts',
  'test/faults/steps/vm-clone.test.ts',
  'test/e2e/networks.test.ts',
  'test/faults/steps/vm-ssh.test.ts',
  'test/flows/tenant/isolation.test.ts',
  'test/e2e/vms.test.ts',
  'test/faults/engine/embedded-postgres.test.ts',
  'test/e2e/vm-snapshots.test.ts',
  'test/e2e/outage.test.ts',
  'test/e2e/delivery.test.ts',
  'test/e2e/tenants.test.ts',
  'test/e2e/volumes.test.ts',
]

/** Starts the longest files of each project first. All other files keep the order of vitest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return [...byProject.values()].flatMap((own) => own.toSorted((a, b) => rank(a) - rank(b)))
  }
}

function rank({ moduleId }: TestSpecification): number {
  const index = longest.findIndex((file) => moduleId.endsWith(`/${file}`))
  return index === -1 ? longest.length : index
}
