// `npm run fix` writes this file from the exports of test/support/requests/*.ts.
import { foreignAccountCases } from './foreign-id-account-cases.ts'
import { foreignNetworkCases } from './foreign-id-network-cases.ts'
import { networkMakers, networkFixtures } from './network-fixtures.ts'
import { secondFactorFixtures } from './second-factor-fixtures.ts'
import { unmanagedVmMakers, unmanagedVmFixtures } from './unmanaged-vm-fixtures.ts'
import { vmActionFixtures } from './vm-action-fixtures.ts'
import { vmMakers, vmFixtures } from './vm-fixtures.ts'
import { vmSnapshotMakers, vmSnapshotFixtures } from './vm-snapshot-fixtures.ts'
import { volumeMakers, volumeFixtures } from './volume-fixtures.ts'

/** A request for each REST route of the nouns. */
export const nounFixtures = {
  ...networkFixtures,
  ...secondFactorFixtures,
  ...unmanagedVmFixtures,
  ...vmActionFixtures,
  ...vmFixtures,
  ...vmSnapshotFixtures,
  ...volumeFixtures,
}

/** A function for each noun that creates one. */
export const nounMakers = {
  ...networkMakers,
  ...unmanagedVmMakers,
  ...vmMakers,
  ...vmSnapshotMakers,
  ...volumeMakers,
}

/** The cases of foreign ids that need no object of the caller. */
export const nounForeignCases = [foreignAccountCases, foreignNetworkCases] as const
