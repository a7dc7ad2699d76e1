import { allChangeKinds } from '../../../server/src/domain/nouns.ts'
/**
 * A worker of Berth as a process of its own, for tests that kill it. It runs from source with
 * Node's type stripping, so that failpoints exist. It reads its plan as JSON from standard input.
 */
import { flushCompileCache } from 'node:module'
import { text } from 'node:stream/consumers'
import { startChangeFeed } from '../../../server/src/engine/changes/feed.ts'
import { followCapabilities } from '../../../server/src/cluster/capabilities/follow-capabilities.ts'
import { missingRightsOf, openCluster } from '../../../server/src/compose/cluster.ts'
import { networkingOf } from '../../../server/src/compose/networking.ts'
import { startWorker } from '../../../server/src/compose/worker.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { loadConfig } from '../../../server/src/runtime/config/config.ts'
import { type FailpointPlan, planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { createMetrics } from '../../../server/src/runtime/metrics/metrics.ts'
import { sealFromSecret } from '../../../server/src/runtime/seal.ts'
import { signingSecret } from '../../../server/src/runtime/config/signing-secret.ts'
import { createStop } from '../../../server/src/runtime/stop.ts'
import { openWorkerPool, workerConnection } from '../../../server/src/engine/database/database.ts'
import { openDatabase } from '../../../server/src/store/database.ts'
import { storeOn } from '../../../server/src/store/store.ts'

interface WorldWorkerPlan {
  url: string
  dataDir: string
  kubeconfig: string
  failpoints: FailpointPlan | null
}

// A killed process does not write its compile cache at exit, so this writes it at the start.
flushCompileCache()

// The parent is this repository's own test, which prints the plan with JSON.stringify.
const { url, dataDir, kubeconfig, failpoints } = JSON.parse(
  await text(process.stdin),
) as WorldWorkerPlan
planFailpoints(failpoints)
// The parent waits only for this event: the lease was lost, or could not be released.
const log = createLog('info', {
  write: (line) =>
    void (/reconcile\.(lease_lost|settle_failed)/.test(line) && process.stdout.write('fenced\n')),
})
const stop = createStop({ log, clock: systemClock })
const config = loadConfig({
  cwd: dataDir,
  env: { BERTH_DATABASE_URL: url, BERTH_DATA_DIR: dataDir },
})
const secret = signingSecret(config.security.secret, config.data.dir)
const database = await openDatabase({ url, log })
const store = storeOn({ database, clock: systemClock, seal: sealFromSecret(secret, 'answers') })
const pool = openWorkerPool(url, log)
const feed = await startChangeFeed({
  kinds: allChangeKinds,
  pool,
  connection: workerConnection(url),
  clock: systemClock,
  log,
})
const starting = {
  config,
  clock: systemClock,
  log,
  stop,
  progress: { step: <T>(_what: string, task: () => Promise<T>) => task() },
  parts: { api: false, worker: true, sandbox: null },
}
const rights = missingRightsOf(starting)
const capabilities = followCapabilities({
  reader: openCluster(starting, { kubeconfig, rights }).reader,
  clock: systemClock,
  log,
})
const networking = networkingOf(config, capabilities)
startWorker(starting, {
  store,
  changeFeed: { feed, pool },
  kubeconfig,
  rights,
  metrics: createMetrics({ withProcess: false }),
  capabilities,
  networking,
})
