import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { replaceFile } from './apiserver/storage/journal.ts'
import { type ApiServerOptions, startApiServer } from './apiserver/server.ts'
import { type Registry, registryWith } from './kinds/registry.ts'
import { Store } from './apiserver/storage/store.ts'
import { Tokens, newSigningKey } from './apiserver/authentication/tokens.ts'
import { clock } from './clock.ts'
import { type ContainerLogs, statusLog } from './apiserver/container-logs.ts'
import { type ComponentName } from './components.ts'
import { controllersOf } from './controllers/all.ts'
import { accountTokens } from './controllers/access/account-tokens.ts'
import { seedAccess } from './controllers/access/seed-objects.ts'
import { runCollector } from './controllers/collector.ts'
import { runController } from './controllers/controller.ts'
import { Client, type World } from './controllers/client.ts'
import { namespaceContents } from './controllers/namespace-contents.ts'
import { runNamespaceController } from './controllers/namespaces.ts'
import { seedNodeStates } from './controllers/nmstate/states.ts'
import { seedNodes } from './controllers/nodes.ts'
import { Faults } from './faults/faults.ts'
import { Gates } from './controllers/gates.ts'
import { seedStorage } from './controllers/storage/seed-objects.ts'
import { type Guests } from './guests/guest.ts'
import { SimulatedGuests } from './guests/simulated/simulated-guests.ts'
import { vmiKind } from './objects/vms/kinds.ts'
import { seedInstancetypes } from './controllers/instancetypes/seed-objects.ts'
import { answerAggregated, isAggregated } from './subresources/route.ts'
import { seedKubeVirt } from './controllers/vms/seed-objects.ts'
import { ActiveStreams, openStream } from './subresources/streams.ts'
import { lockFolder } from './lock.ts'
import { type Pace, paceOf } from './pace.ts'
import { type ServingCertificates, makeServingCertificates } from './trust/certificates.ts'
import { UploadTokens, newUploadKey } from './trust/upload-tokens.ts'

/** The folder, the port and the components of a sandbox. */
export interface SandboxOptions {
  folder: string
  port: number
  /** Factor on all delays; 1 is realistic. */
  pace?: number
  /** Optional components of the cluster. They decide which kinds it serves. */
  components?: readonly ComponentName[]
}

/** A running sandbox. */
export interface Sandbox {
  url: string
  kubeconfig: string
  stop(): Promise<void>
}

/** Starts the cluster on the stored state of the folder and writes a kubeconfig for it. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { pace = 1, components = [] } = options
  const folder = resolve(options.folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const unlock = await lockFolder(folder)
  const credentials = credentialsIn(folder)
  const { certificates, token } = credentials
  const world = worldIn(folder, { registry: registryWith(components), pace: paceOf(pace) })
  const { store, guests } = world
  const stopControllers = runControllers(world, { components, credentials })
  const faults = new Faults(world, token)
  const server = await startApiServer({
    ...credentials,
    store,
    logs: logsOf(guests),
    port: options.port,
    intercept: (request, response, serve) => faults.serve(request, response, serve),
    aggregated: subresourceServer(world),
  })
  const kubeconfig = join(folder, 'kubeconfig')
  replaceFile(kubeconfig, kubeconfigFor({ url: server.url, ca: certificates.ca, token }))
  return {
    url: server.url,
    kubeconfig,
    async stop() {
      for (const stop of stopControllers) stop()
      await server.close()
      guests.close()
      await store.close()
      unlock()
    },
  }
}

type Credentials = Pick<ApiServerOptions, 'certificates' | 'token' | 'tokens' | 'uploads'>

function credentialsIn(folder: string): Credentials {
  const newToken = () => ({ token: randomBytes(32).toString('base64url') })
  return {
    certificates: loadOrCreate<ServingCertificates>(
      join(folder, 'tls.json'),
      makeServingCertificates,
    ),
    token: loadOrCreate(join(folder, 'token.json'), newToken).token,
    tokens: new Tokens(loadOrCreate(join(folder, 'service-accounts.json'), newSigningKey)),
    uploads: new UploadTokens(() => loadOrCreate(join(folder, 'uploads.json'), newUploadKey)),
  }
}

interface RunningWorld extends World {
  gates: Gates
  guests: SimulatedGuests
}

function worldIn(
  folder: string,
  { registry, pace }: { registry: Registry; pace: Pace },
): RunningWorld {
  const store = new Store({ folder: join(folder, 'state'), registry })
  const guests = new SimulatedGuests(join(folder, 'guests'), pace)
  const world = { store, pace, gates: new Gates(), disks: join(folder, 'disks'), guests }
  const instances = new Client(world, 'virt-handler').list(vmiKind)
  guests.removeAllExcept(new Set(instances.map(({ metadata }) => metadata.uid ?? '')))
  return world
}

/** The aggregated API server, which serves the subresources of VMs and VMIs. */
function subresourceServer(world: World): ApiServerOptions['aggregated'] {
  const client = new Client(world, 'virt-api')
  const connections = new ActiveStreams()
  return {
    owns: isAggregated,
    answer: (request) => answerAggregated(client, request),
    open: (request) => openStream({ client, streams: connections }, request),
  }
}

/** Creates the initial objects of a cluster and starts the controllers. */
function runControllers(
  world: World,
  { components, credentials }: { components: readonly ComponentName[]; credentials: Credentials },
): (() => void)[] {
  const { store, pace } = world
  const { certificates, tokens } = credentials
  const stopOwnLoops = [runNamespaceController(store, pace), runCollector(store)]
  seedAccess(new Client(world, 'kube-apiserver'))
  seedNodes(new Client(world, 'kubelet'))
  if (components.includes('nmstate')) seedNodeStates(new Client(world, 'nmstate-handler'))
  seedStorage(new Client(world, 'cdi-operator'))
  seedKubeVirt(new Client(world, 'virt-operator'))
  seedInstancetypes(new Client(world, 'virt-operator'))
  const controllers = [
    ...controllersOf(store.registry, components),
    accountTokens(tokens, certificates.ca),
    ...namespaceContents(certificates.ca),
  ]
  return [...stopOwnLoops, ...controllers.map((each) => runController(world, each))]
}

/** The container `guest-console-log` writes the serial console of its guest to its log. */
function logsOf(guests: Guests): ContainerLogs {
  return (pod, container) => {
    const id =
      container === 'guest-console-log'
        ? pod.metadata.labels?.['kubevirt.io/created-by']
        : undefined
    return id === undefined
      ? statusLog(pod, container)
      : (guests.logOf(id) ?? pendingLog(guests, id))
  }
}

const logPollMs = 50

/** The log of a guest that has not started yet. A follower receives it from the first line. */
const pendingLog = (guests: Guests, id: string): ReturnType<ContainerLogs> => ({
  bytes: () => Buffer.alloc(0),
  follow(listener) {
    let stop = clock.after(logPollMs, poll)
    function poll(): void {
      const log = guests.logOf(id)
      if (log) listener.data(log.bytes())
      stop = log ? log.follow(listener) : clock.after(logPollMs, poll)
    }
    return () => stop()
  },
})

/** Reads the value from the file, or creates and stores it on the first start. */
function loadOrCreate<T>(path: string, make: () => T): T {
  // The sandbox writes this file atomically below, so it has the type T.
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as T
  const value = make()
  replaceFile(path, JSON.stringify(value))
  return value
}

/** Writes JSON, which is valid YAML and needs no escaping rules. */
function kubeconfigFor({ url, ca, token }: { url: string; ca: string; token: string }): string {
  const name = 'berth-sandbox'
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
      },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  }
  return `${JSON.stringify(config, null, 2)}\n`
}
