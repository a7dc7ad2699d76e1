import { type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { isDeleted } from '../finalizers.ts'
import { read } from '../../objects/read.ts'
import { migrations } from './queueing.ts'
import { isFinalMigration } from '../../objects/migrations/state.ts'
import { migrationKind } from '../../objects/migrations/names.ts'

const retainedCount = 5

/**
 * Deletes all but the newest five finished migrations of a VMI, each with the pod that it left
 * behind.
 */
export function collectFinished(
  client: Client,
  { metadata: { namespace, name } }: KubeObject,
): void {
  const finished = migrations
    .of(client, `${namespace}/${name}`)
    .filter((each) => isFinalMigration(each) && !isDeleted(each))
    .sort((a, b) => createdAtMs(a) - createdAtMs(b))
  for (const migration of finished.slice(0, Math.max(0, finished.length - retainedCount))) {
    const { failed, completed, targetPod, sourcePod } = read.map(
      read.status(migration).migrationState,
    )
    const left = failed === true ? targetPod : completed === true ? sourcePod : undefined
    const pod = client.get('pods', namespace, read.text(left))
    if (pod) client.remove('pods', pod)
    client.remove(migrationKind, migration)
  }
}

const createdAtMs = ({ metadata }: KubeObject): number =>
  Date.parse(metadata.creationTimestamp ?? '')
