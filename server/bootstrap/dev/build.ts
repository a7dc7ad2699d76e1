import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, type Plugin, build, watch } from 'rolldown'
import { buildOf, shipMigrations } from '../../rolldown.config.ts'

export interface BuildWatcher {
  close(): Promise<void>
}

interface BuildEvents {
  /** The files are written; `startedMs` is when the watcher saw the change. */
  built(startedMs: number): void
  /** The sources do not compile; the files of the last good build are still there. */
  failed(message: string): void
}

/** Builds now and after each change of a source. */
export function watchBuild(options: BuildOptions, events: BuildEvents): BuildWatcher {
  const watcher = watch({
    ...options,
    logLevel: 'silent',
    watch: { buildDelay: 20, clearScreen: false },
  })
  let startedMs = performance.now()
  watcher.on('event', async (event) => {
    if (event.code === 'START') startedMs = performance.now()
    if (event.code === 'ERROR') events.failed(event.error.message)
    if (event.code === 'BUNDLE_END') events.built(startedMs)
    if ('result' in event) await event.result.close()
  })
  return watcher
}

const client = '@kubernetes/client-node'

/**
 * Bundles the Kubernetes client once and lets the server import the result. Bundling it again with
 * every change of the server would take two thirds of a build: 0.8 of 1.2 s.
 */
export async function withPrebuiltClient(
  options: BuildOptions,
  dir: string,
): Promise<BuildOptions> {
  await build({
    ...buildOf({ input: { client: fileURLToPath(import.meta.resolve(client)) }, dir }),
    logLevel: 'silent',
  })
  const prebuilt: Plugin = {
    name: 'prebuilt-kubernetes-client',
    resolveId: (id) => (id === client ? { id: join(dir, 'client.js'), external: true } : null),
  }
  return { ...options, plugins: [prebuilt, shipMigrations] }
}
