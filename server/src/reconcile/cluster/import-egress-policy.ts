import { type DesiredObject } from '../../cluster/desired/desired.ts'
import {
  exceptionsIn,
  globalUnicast,
  rangesFor,
  withoutHeld,
} from '../../domain/network/special-ranges.ts'
import { type EgressBounds } from '../../domain/security-group/egress-bounds.ts'

/*
 * Importers run in the tenant's namespace, resolve names themselves and follow every redirect
 * (S-32). The URL check therefore does not bind them. Their egress is limited to the public
 * internet, however a name resolves. Any client in the cluster may read their progress.
 */

const anyPeer = { kind: 'anyone' } as const

/**
 * Builds the egress policy that is applied in a tenant's namespace before its first importer
 * starts. One policy covers all importers.
 */
export function importEgressPolicy({
  tenantId,
  namespace,
  bounds,
}: {
  tenantId: string
  namespace: string
  bounds: EgressBounds
}): DesiredObject<'networkPolicy'> {
  const closed = withoutHeld([...rangesFor(), ...bounds.closed])
  const rangeOf = (cidr: string) => ({
    peer: { kind: 'range' as const, cidr, except: exceptionsIn(cidr, closed) },
    ports: [],
  })
  return {
    noun: 'networkPolicy',
    namespace,
    name: 'import-wall',
    tenantId,
    rowId: tenantId,
    uid: null,
    spec: {
      pods: { kind: 'importers' },
      ingress: [{ peer: anyPeer, ports: [] }],
      egress: [
        {
          peer: anyPeer,
          ports: [
            { protocol: 'UDP', from: 53, to: 53 },
            { protocol: 'TCP', from: 53, to: 53 },
          ],
        },
        rangeOf('0.0.0.0/0'),
        rangeOf(globalUnicast),
      ],
    },
  }
}
