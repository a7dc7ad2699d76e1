import { type Answer } from '../apiserver/request.ts'
import { type JsonMap } from '../objects/types.ts'
import { version as clusterVersion } from '../apiserver/discovery.ts'

const version: JsonMap = {
  gitVersion: 'v1.9.0-rc.2',
  gitCommit: 'd923fdb815',
  gitTreeState: 'clean',
  buildDate: '2026-06-24T12:00:00Z',
  goVersion: 'go1.26.10',
  compiler: 'gc',
  platform: 'linux/amd64',
}

/**
 * What virt-api tells of itself. The configuration's version counts its changes, and ours never
 * changes.
 */
export const ownAnswers: Record<string, () => Answer> = {
  version: () => ({ status: 200, body: version }),
  healthz: () => ({
    status: 200,
    body: {
      apiserver: { connectivity: 'ok', version: clusterVersion },
      'config-resource-version': '1',
    },
  }),
}
