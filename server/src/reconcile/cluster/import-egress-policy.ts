import { type DesiredObject } from '../../cluster/desired/desired.ts'

/*
 * Importers run in the tenant's namespace, resolve names themselves and follow every redirect
 * (S-32). The URL check therefore does not bind them. Their egress is limited to the public
 * internet, however a name resolves. Any client in the cluster may read their progress.
 */
const privateIpv4Ranges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

const anyPeer = { kind: 'anyone' } as const

/**
 * Builds the egress policy that is applied in a tenant's namespace before its first importer
 * starts. One policy covers all importers.
 */
export function importEgressPolicy({
  tenantId,
  namespace,
}: {
  tenantId: string
  namespace: string
}): DesiredObject<'networkPolicy'> {
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
        { peer: { kind: 'range', cidr: '0.0.0.0/0', except: privateIpv4Ranges }, ports: [] },
        {
          peer: { kind: 'range', cidr: '2000::/3', except: ['2001::/23', '2002::/16'] },
          ports: [],
        },
      ],
    },
  }
}
