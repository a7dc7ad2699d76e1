import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { replaceFile } from './apiserver/storage/journal.ts'
import { type ApiServerOptions, startApiServer } from './apiserver/server.ts'
import { Store } from './apiserver/storage/store.ts'
import { Tokens, newSigningKey } from './apiserver/authentication/tokens.ts'
import { clock } from './clock.ts'
import { type ContainerLogs, statusLog } from './apiserver/container-logs.ts'
import { controllers } from './controllers/all.ts'
import { accountTokens } from './controllers/access/account-tokens.ts'
import { furnishAccess } from './controllers/access/furniture.ts'
import { runCollector } from './controllers/collector.ts'
import { type Controller, runController } from './controllers/controller.ts'
import { Desk, type World } from './controllers/desk.ts'
import { namespaceContents } from './controllers/namespace-contents.ts'
import { runNamespaceController } from './controllers/namespaces.ts'
import { furnishHostStates } from './controllers/nmstate/states.ts'
import { furnishNodes } from './controllers/nodes.ts'
import { Faults } from './faults/faults.ts'
import { Gates } from './faults/gates.ts'
import { furnishStorage } from './controllers/storage/furniture.ts'
import { type Guests } from './guests/guest.ts'
import { SimulatedGuests } from './guests/simulated/simulated-guests.ts'
import { vmiKind } from './controllers/vms/kinds.ts'
import { furnishInstancetypes } from './instancetypes/furniture.ts'
import { answerAggregated, isAggregated } from './subresources/route.ts'
import { furnishKubeVirt } from './controllers/vms/seed-objects.ts'
import { Visits, openStream } from './subresources/streams.ts'
import { lockFolder } from './lock.ts'
import { paceOf } from './pace.ts'
import { type ServingCertificates, makeServingCertificates } from './trust/certificates.ts'
import { UploadTokens, newUploadKey } from './trust/upload-tokens.ts'

export interface SandboxOptions {
  folder: string
  port: number
  /** Factor on all delays; 1 is realistic. */
  pace?: number
}

export interface Sandbox {
  url: string
  kubeconfig: string
  stop(): Promise<void>
}

/** Starts the cluster on the folder's state and writes the kubeconfig that reaches it. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const folder = resolve(options.folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const unlock = await lockFolder(folder)
  const certificates = kept<ServingCertificates>(join(folder, 'tls.json'), makeServingCertificates)
  const { token } = kept(join(folder, 'token.json'), () => ({
    token: randomBytes(32).toString('base64url'),
  }))
  const tokens = new Tokens(kept(join(folder, 'service-accounts.json'), newSigningKey))
  const store = new Store({ folder: join(folder, 'state') })
  const pace = paceOf(options.pace ?? 1)
  const guests = new SimulatedGuests(join(folder, 'guests'), pace)
  const world = { store, pace, gates: new Gates(), disks: join(folder, 'disks'), guests }
  guests.keepOnly(
    new Set(
      new Desk(world, 'virt-handler').list(vmiKind).map(({ metadata }) => metadata.uid ?? ''),
    ),
  )
  const stopControllers = [
    runNamespaceController(store, pace),
    runCollector(store),
    ...runControllers(world, [
      accountTokens(tokens, certificates.ca),
      ...namespaceContents(certificates.ca),
    ]),
  ]
  const faults = new Faults(world, token)
  const before: ApiServerOptions['before'] = (request, response, serve) =>
    faults.serve(request, response, serve)
  const virtApi = new Desk(world, 'virt-api')
  const visits = new Visits()
  const aggregated: ApiServerOptions['aggregated'] = {
    owns: isAggregated,
    answer: (ask) => answerAggregated(virtApi, ask),
    open: (ask) => openStream({ desk: virtApi, visits }, ask),
  }
  const uploads = new UploadTokens(() => kept(join(folder, 'uploads.json'), newUploadKey))
  const logs = logsOf(guests)
  const server = await startApiServer({
    store,
    certificates,
    token,
    tokens,
    uploads,
    logs,
    port: options.port,
    before,
    aggregated,
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

/** A guest's serial line is what the sidecar beside it writes down. */
function logsOf(guests: Guests): ContainerLogs {
  return (pod, container) => {
    const id =
      container === 'guest-console-log'
        ? pod.metadata.labels?.['kubevirt.io/created-by']
        : undefined
    return id === undefined
      ? statusLog(pod, container)
      : (guests.logOf(id) ?? logToCome(guests, id))
  }
}

const lookAgainMs = 50

/** Of a guest that has not begun: who follows hears it from its first word. */
const logToCome = (guests: Guests, id: string): ReturnType<ContainerLogs> => ({
  bytes: () => Buffer.alloc(0),
  follow(listener) {
    let stop = clock.after(lookAgainMs, look)
    function look(): void {
      const log = guests.logOf(id)
      if (log) listener.data(log.bytes())
      stop = log ? log.follow(listener) : clock.after(lookAgainMs, look)
    }
    return () => stop()
  },
})

/** Furnishes the cluster and sets its controllers to work. */
function runControllers(world: World, own: readonly Controller[]): (() => void)[] {
  furnishAccess(new Desk(world, 'kube-apiserver'))
  furnishNodes(new Desk(world, 'kubelet'))
  furnishHostStates(new Desk(world, 'nmstate-handler'))
  furnishStorage(new Desk(world, 'cdi-operator'))
  furnishKubeVirt(new Desk(world, 'virt-operator'))
  furnishInstancetypes(new Desk(world, 'virt-operator'))
  return [...controllers, ...own].map((each) => runController(world, each))
}

/** What the file holds; made and stored on the first start. */
function kept<T>(path: string, make: () => T): T {
  // Our own file, written whole in one step below.
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as T
  const made = make()
  replaceFile(path, JSON.stringify(made))
  return made
}

/** JSON is YAML too, and needs no escaping rules of its own. */
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
