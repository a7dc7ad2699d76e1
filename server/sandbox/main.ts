import { fstatSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startSandbox } from './start.ts'

const { values } = parseArgs({
  options: { folder: { type: 'string' }, port: { type: 'string', default: '0' }, pace: { type: 'string', default: '1' } },
})

async function main(folder: string): Promise<void> {
  const sandbox = await startSandbox({ folder, port: Number(values.port), pace: Number(values.pace) })
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    void sandbox.stop().then(() => process.exit(0))
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  stopWithParent(stop)
  process.stdout.write(`${JSON.stringify({ url: sandbox.url, kubeconfig: sandbox.kubeconfig })}\n`)
}

/** A parent that dies without a word closes the pipe; a terminal or /dev/null says nothing about anybody. */
function stopWithParent(stop: () => void): void {
  const input = fstatSync(0)
  if (!input.isFIFO() && !input.isSocket()) return
  process.stdin.once('end', stop).once('error', stop).resume()
}

if (values.folder === undefined) {
  process.stderr.write('usage: main.ts --folder <folder> [--port <port>] [--pace <factor>]\n')
  process.exitCode = 2
} else {
  await main(values.folder).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  })
}
