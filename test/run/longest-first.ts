import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files whose tests take half a minute or more, the longest first. Vitest would start large
 * files first, but some of the longest are small. A long file that starts last leaves all cores but
 * one idle.
 */
export const longest = [
  'test/faults/engine/commit-cut.test.ts',
  'test/faults/races/storage.test.ts',
  'test/flows/platform/idempotency.test.ts',
  'test/contract/rest/rows.test.ts',
  'test/faults/workers/snapshots-and-clones.test.ts',
  'test/flows/identity/audit.test.ts',
  'test/faults/steps/network.test.ts',
  'test/faults/workers/vm.test.ts',
  'test/flows/vm/snapshots.test.ts',
  'test/faults/steps/template.test.ts',
  'test/faults/steps/tenant.test.ts',
  'test/flows/template/iso-import.test.ts',
  'test/faults/workers/backlog.test.ts',
  'test/faults/engine/kill.test.ts',
  'test/flows/volume/volumes.test.ts',
  'test/faults/engine/nemesis.test.ts',
  'test/flows/platform/missing-components.test.ts',
  'test/flows/vm/logs.test.ts',
  'test/flows/tenant/isolation.test.ts',
  'test/flows/tenant/foreign-ids.test.ts',
  'test/faults/races/network-writers.test.ts',
  'test/contract/rest/client-inputs.test.ts',
  'test/flows/vm/iso.test.ts',
  'test/faults/steps/vm.test.ts',
  'test/faults/sockets/console-socket.test.ts',
  'test/flows/tenant/deletion.test.ts',
  'test/faults/cluster/answers.test.ts',
  'test/flows/volume/snapshot-schedules.test.ts',
  'test/flows/network/nics.test.ts',
  'test/contract/rest/vms.test.ts',
  'test/contract/rest/graphql-parity.test.ts',
  'test/faults/sockets/console-access.test.ts',
  'test/contract/rest/volumes.test.ts',
  'test/faults/engine/embedded-postgres.test.ts',
  'test/flows/vm/verbs.test.ts',
  'test/e2e/pages.test.ts',
  'test/e2e/networks.test.ts',
  'test/e2e/vms.test.ts',
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
