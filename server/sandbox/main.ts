import { fstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { componentsNamed } from './components.ts'
import { startSandbox } from './start.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    port: { type: 'string', default: '0' },
    pace: { type: 'string', default: '1' },
    with: { type: 'string', multiple: true, default: [] },
  },
})

/**
 * The folder that `npm start` uses. It is separate, so that a user can inspect this cluster alone.
 */
const defaultFolder = join('.berth', 'sandbox')

async function main(): Promise<void> {
  const sandbox = await startSandbox({
    folder: values.folder ?? defaultFolder,
    port: Number(values.port),
    pace: Number(values.pace),
    components: componentsNamed(values.with),
  })
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    void sandbox.stop().then(() => process.exit(0))
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  stopWithParent(stop)
  if (values.folder === undefined) printForUser(sandbox.kubeconfig)
  else
    process.stdout.write(
      `${JSON.stringify({ url: sandbox.url, kubeconfig: sandbox.kubeconfig })}\n`,
    )
}

/** Writes only the kubeconfig to the standard output, so that a user can pipe it or save it. */
function printForUser(kubeconfig: string): void {
  process.stdout.write(readFileSync(kubeconfig, 'utf8'))
  process.stderr.write(
    `\nThe sandbox is ready. In another terminal:\n\n  export KUBECONFIG=${kubeconfig}\n  kubectl get nodes\n\nCtrl-C stops it; what is in it stays.\n`,
  )
}

/**
 * Stops when the parent process dies, which closes the pipe. The end of a terminal or of /dev/null
 * means nothing.
 */
function stopWithParent(stop: () => void): void {
  const input = fstatSync(0)
  if (!input.isFIFO() && !input.isSocket()) return
  process.stdin.once('end', stop).once('error', stop).resume()
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
