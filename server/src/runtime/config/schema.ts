import * as v from 'valibot'
import { group, key, open } from './key.ts'
import { securityKeys } from './security-keys.ts'
import { logLevels } from '../log.ts'
import {
  address,
  addressPool,
  cidr,
  databaseUrl,
  hostName,
  imageOrNone,
  interfaceName,
  numberFrom,
  networkOfPool,
  objectName,
  orEmpty,
  proxies,
  registry,
  tagPool,
  text,
  webUrl,
  wholeNumber,
} from './values.ts'

/*
 * The keys of berth.yaml. The type, check, default and meaning of each key are written only here,
 * and the reference in docs/configuration.md is printed from it. Unknown keys are errors, because a
 * key that is silently ignored is the worst kind of setting. Rules between keys are in rules.ts.
 */

export const clusterKinds = ['sandbox', 'kubeconfig', 'inCluster'] as const
export type ClusterKind = (typeof clusterKinds)[number]

/** Some defaults differ between the sandbox, which serves this Berth only, and a real cluster. */
export const fileSchemaFor = (kind: ClusterKind) => {
  const isSandbox = kind === 'sandbox'
  return v.strictObject({
    server: serverKeys(isSandbox),
    database: databaseKeys,
    cluster: clusterKeys(isSandbox),
    platform: platformKeys,
    network: networkKeys(isSandbox),
    import: importKeys(isSandbox),
    tenants: tenantKeys,
    operations: operationKeys,
    retention: retentionKeys,
    security: securityKeys(isSandbox),
    api: apiKeys,
    log: logKeys,
    compat: compatKeys,
    data: dataKeys,
  })
}

export type FileKeys = v.InferOutput<ReturnType<typeof fileSchemaFor>>

const serverKeys = (isSandbox: boolean) =>
  group({
    host: key('The address that Berth listens on.', text, '127.0.0.1'),
    port: key('The port that Berth listens on; 0 takes a free one.', wholeNumber(0, 65_535), 8080),
    publicUrl: open(
      'Where browsers find Berth. When it is not set: localhost with the port above.',
      webUrl,
    ),
    tls: group({
      cert: open('The file with the certificate chain, in PEM. Needs `server.tls.key`.', text),
      key: open('The file with the private key, in PEM. Needs `server.tls.cert`.', text),
    }),
    trustProxy: key(
      'How many proxies in front of Berth set `X-Forwarded-For`; true means one.',
      proxies,
      0,
    ),
    workerPort: key(
      'The port of `/healthz`, `/readyz` and `/metrics` of a process that runs only reconcilers; 0 takes a free one.',
      wholeNumber(0, 65_535),
      8081,
    ),
    drainSeconds: key(
      'Seconds from a stop signal until requests are refused. Until then `/readyz` answers 503 and everything else works, so that load balancers choose other replicas.',
      wholeNumber(0, 3_600),
      isSandbox ? 0 : 5,
    ),
  })

const databaseDrivers = ['fast', 'plain'] as const
const databaseKeys = group({
  url: open(
    'An external PostgreSQL. Berth starts its embedded PostgreSQL when this is not set.',
    databaseUrl,
  ),
  driver: key(
    '`fast` uses internals of the PostgreSQL client; `plain` is slower and does not.',
    v.picklist(databaseDrivers),
    'fast',
  ),
  pool: group({
    size: key(
      'The connections of each process for requests and reconciles.',
      wholeNumber(3, 1_000),
      12,
    ),
    reservedForReads: key(
      'The connections that writes leave free for reads.',
      wholeNumber(1, 1_000),
      4,
    ),
    writesPerTenant: key(
      'The connections that the writes of one tenant use at once. Its other writes wait without one.',
      wholeNumber(1, 1_000),
      3,
    ),
    background: key(
      'The connections of each process for the work queue, the change log and the tasks of the leader.',
      wholeNumber(2, 1_000),
      12,
    ),
  }),
})

const sandboxComponents = ['kube-ovn', 'multi-network-policy', 'nmstate', 'ovn-kubernetes'] as const
const clusterKeys = (isSandbox: boolean) =>
  group({
    kind: key(
      'The cluster that runs the VMs: the simulated one, the one of a kubeconfig, or the cluster that Berth runs in.',
      v.picklist(clusterKinds),
      'sandbox',
    ),
    kubeconfig: open(
      'The kubeconfig file, for `cluster.kind: kubeconfig`. When it is not set: the default of kubectl.',
      text,
    ),
    context: open('The context of the kubeconfig, for `cluster.kind: kubeconfig`.', text),
    callsPerSecond: key(
      'The most calls to the API server in a second.',
      wholeNumber(1, 10_000),
      isSandbox ? 1_000 : 20,
    ),
    with: key(
      'The components that a sandbox has in addition to KubeVirt, CDI and Multus.',
      v.array(v.picklist(sandboxComponents)),
      [],
    ),
  })

const platformKeys = group({
  networking: group({
    public: v.pipe(
      group({
        enabled: key('Offers VMs addresses on the public network.', v.boolean(), false),
        bridge: group({
          name: open(
            'The bridge of the public network, which exists on every node. When only `uplink` is set: `br-public`.',
            interfaceName,
          ),
        }),
        mode: key(
          '`macvlan` is accepted and has no effect: VMs are attached through the bridge.',
          v.picklist(['bridge', 'macvlan']),
          'bridge',
        ),
        uplink: open(
          'The interface over which NMState makes the bridge on every node. It must not be the interface that nodes are reached by.',
          orEmpty(interfaceName),
        ),
        cidr: open(
          'The public network. When it is not set: the smallest network with 256 to 65,536 addresses that holds `ipPool`. Its first address is the gateway.',
          orEmpty(cidr),
        ),
        ipPool: key('The addresses that VMs get.', addressPool, []),
        dns: key('The name servers of VMs on the public network.', v.array(address), []),
      }),
      v.transform((keys) => ({ ...keys, cidr: keys.cidr ?? networkOfPool(keys.ipPool) })),
    ),
  }),
  storage: group({
    defaultClass: open(
      'The StorageClass of new disks. When it is not set: the default class of the cluster.',
      objectName,
    ),
    snapshotClass: open(
      'The VolumeSnapshotClass of snapshots. When it is not set: the class that belongs to the storage of the disk.',
      objectName,
    ),
  }),
  windows: group({
    driversImage: key(
      'The image with the drivers on the second CD-ROM of Windows VMs.',
      imageOrNone,
      'quay.io/kubevirt/virtio-container-disk:v1.9.0',
    ),
  }),
})

const reservedFor = (whose: string, reach: string, networks: string[]) =>
  key(
    `The networks of the cluster's ${whose}. No VPC gets their addresses. Over the cluster network, VMs reach ${reach}.`,
    v.array(cidr),
    networks,
  )

const networkKeys = (isSandbox: boolean) =>
  group({
    driver: key(
      'How private networks are made: `bridge-vlan` tags frames on a bridge that every node has, `ovn-layer2` makes a switch in OVN-Kubernetes, `kube-ovn` a subnet in Kube-OVN. `auto` takes what the cluster has.',
      v.picklist(['auto', 'bridge-vlan', 'ovn-layer2', 'kube-ovn']),
      'auto',
    ),
    bridge: group({
      name: key('The bridge of `bridge-vlan`.', interfaceName, 'br-berth'),
      vlans: key('The tags of `bridge-vlan`.', tagPool, '100-3999'),
    }),
    mtu: open(
      'The MTU of private networks. When it is not set: the MTU of the driver.',
      wholeNumber(576, 65_535),
    ),
    addressRestSeconds: key(
      'Seconds before a released address is reused.',
      wholeNumber(0, 86_400),
      300,
    ),
    closed: key(
      'Networks that VMs and imports cannot reach over the cluster network, in addition to link-local addresses, metadata services, the nodes, the API server and `network.reserved`. Add that of Berth when it runs outside the cluster.',
      v.array(cidr),
      [],
    ),
    dns: group({
      namespace: key("The namespace of the cluster's DNS pods.", objectName, 'kube-system'),
      addresses: key(
        'Addresses on which nodes answer DNS themselves, such as that of NodeLocal DNSCache.',
        v.array(address),
        ['169.254.20.10'],
      ),
    }),
    reserved: group({
      pods: reservedFor('pods', 'only VMs of their tenant', isSandbox ? ['10.244.0.0/16'] : []),
      services: reservedFor('services', 'none of them', []),
      nodes: reservedFor('nodes', 'none of them', []),
    }),
  })

/**
 * In a real cluster an importer could reach hosts that tenants must not reach, so both are off by
 * default. Berth refuses to start with them when a sandbox serves other machines (rules.ts).
 */
const importKeys = (isSandbox: boolean) =>
  group({
    allowHttp: key('Tenants may import images over http.', v.boolean(), isSandbox),
    allowPrivate: key('Tenants may import images from private addresses.', v.boolean(), isSandbox),
    allowedHosts: key(
      'The only hosts that tenants may import images from. An empty list allows every public host.',
      v.array(hostName),
      [],
    ),
    allowedRegistries: key(
      'The only registries, or parts of them, that tenants may deploy container disks from. An image without a registry is in `docker.io`. An empty list allows every public registry.',
      v.array(registry),
      [],
    ),
    imagePullPolicy: key(
      'How nodes pull the container disks of new VMs. With `Always`, the registry decides at each start of a VM; with `IfNotPresent`, a node starts an image that it has already, also a private one of another tenant.',
      v.picklist(['Always', 'IfNotPresent']),
      'Always',
    ),
  })

const limitOf = (what: string) =>
  open(`The most ${what} of a tenant. No limit when it is not set.`, wholeNumber(0, 2_147_483_647))

const tenantKeys = group({
  quota: group({
    vms: limitOf('VMs'),
    vcpus: limitOf('vCPUs'),
    memoryMi: limitOf('memory, in MiB,'),
    storageGi: limitOf('storage, in GiB,'),
    volumes: limitOf('volumes'),
    snapshots: limitOf('snapshots'),
    vpcs: limitOf('VPCs'),
    networks: limitOf('networks'),
    publicAddresses: limitOf('public addresses'),
  }),
})

const operationKeys = group({
  deadlineFactor: key(
    'Multiplies the deadlines of operations. A deadline counts from the last progress: it is 10 minutes for a deploy, and 2 to 60 minutes for the other operations.',
    numberFrom(0.001, 1_000),
    1,
  ),
})

const daysRetained = (what: string, fallback: number) =>
  key(`Days to keep ${what}; 0 keeps them for ever.`, wholeNumber(0, 36_500), fallback)

const retentionKeys = group({
  operationDays: daysRetained('operations that have ended', 90),
  auditDays: daysRetained('entries of the audit log, at least 7', 365),
  deletedDays: daysRetained('rows of deleted objects to which nothing refers', 30),
  vmEventDays: daysRetained('events of VMs', 90),
})

const apiKeys = group({
  pageCap: key('The most rows of a page.', wholeNumber(1, 100_000), 200),
  rateLimit: v.pipe(
    group({
      requests: key(
        'Requests of each user, and of each address of callers without a login. Sockets, and operations on them, count too. Each replica counts by itself; 0 is no limit.',
        wholeNumber(0, 10_000_000),
        6_000,
      ),
      seconds: key('The time in which these requests are counted.', wholeNumber(1, 3_600), 60),
    }),
    v.transform((limit) => (limit.requests === 0 ? null : limit)),
  ),
})

const logKeys = group({
  level: key('The least level of an entry that is written.', v.picklist(logLevels), 'info'),
  format: key(
    '`auto` writes to a file in the data folder when a terminal shows the progress; `json` always writes to the standard output.',
    v.picklist(['auto', 'json']),
    'auto',
  ),
})

const compatKeys = group({
  socketTokenInUrl: key(
    'Sockets accept the access token in their URL, for older clients.',
    v.boolean(),
    false,
  ),
  virtfoundry: key(
    'Serves the web UI of VirtFoundry 0.5. Its risks: sockets accept the access token in their URL, where logs of proxies keep it, and clients without a credential can learn when VMs change, but not which. A VM without a list of networks also joins the default network of its tenant.',
    v.boolean(),
    false,
  ),
})

const dataKeys = group({
  dir: open(
    'The data folder. When it is not set: `.berth` in the folder where Berth starts.',
    text,
  ),
})
