import { type WantedObject } from '../../cluster/desired/desired.ts'

/*
 * Importers run in the tenant's namespace, ask for names themselves and follow every redirect
 * (S-32): what was checked of a URL does not bind them. So their way out leads to the public
 * internet only, whatever a name resolves to. They may be asked for their progress by anyone in the
 * cluster.
 */
const inner4 = [
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

const anyone = { kind: 'anyone' } as const

/**
 * The network policy that stands in a tenant's namespace before its first importer does; one for
 * all of them.
 */
export function importWall({
  tenantId,
  namespace,
}: {
  tenantId: string
  namespace: string
}): WantedObject<'networkPolicy'> {
  return {
    noun: 'networkPolicy',
    namespace,
    name: 'import-wall',
    tenantId,
    rowId: tenantId,
    uid: null,
    as: {
      pods: { kind: 'importers' },
      ingress: [{ peer: anyone, ports: [] }],
      egress: [
        {
          peer: anyone,
          ports: [
            { protocol: 'UDP', from: 53, to: 53 },
            { protocol: 'TCP', from: 53, to: 53 },
          ],
        },
        { peer: { kind: 'range', cidr: '0.0.0.0/0', except: inner4 }, ports: [] },
        {
          peer: { kind: 'range', cidr: '2000::/3', except: ['2001::/23', '2002::/16'] },
          ports: [],
        },
      ],
    },
  }
}
