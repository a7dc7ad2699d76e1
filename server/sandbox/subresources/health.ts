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
 * The responses of virt-api about itself. The configuration of the sandbox never changes, so its
 * version is 1.
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
