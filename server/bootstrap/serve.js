import './require-node.js'
import { buildWhatChanged } from './build.js'

/*
 * Without an argument: builds the changed parts and starts Berth in this same process, so that
 * Ctrl-C and memory belong to one process. With an argument: runs the program of that name instead,
 * for example `serve.js config check`.
 */
const program = process.argv[2]?.match(/^[a-z-]+$/) ? process.argv[2] : 'start'
// Scripts may read the output of other programs, so progress is kept out of it.
const screen = program === 'start' && process.stdout.isTTY ? process.stdout : process.stderr

const sentences = {
  EACCES: (error) =>
    `${error.path} cannot be written: no permission. Berth builds its console and server beside their sources.`,
  EPERM: (error) =>
    `${error.path} cannot be written: no permission. Berth builds its console and server beside their sources.`,
  EROFS: (error) =>
    `${error.path} cannot be written: the folder is read-only. Berth builds its console and server beside their sources.`,
  ENOSPC: () => 'The disk is full. Make room (about 200 MB) and start again.',
}

try {
  await buildWhatChanged(screen)
} catch (error) {
  const known = [error, error.cause].find((each) => sentences[each?.code])
  screen.write(`${known ? sentences[known.code](known) : error.message}\n`)
  process.exit(1)
}

// Makes stack traces show lines of the sources. Measured: 30 ms of CPU time at the start.
process.setSourceMapsEnabled(true)

// Makes `process.argv` look as if the program was started directly.
if (process.argv[2] === program) process.argv.splice(2, 1)
await import(`../dist/${program}.js`)
