import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

// `npm run dev` runs this first: a clone without hooks of its own gets those of .githooks.
const root = join(import.meta.dirname, '..', '..')
const git = (...args) => execFileSync('git', args, { cwd: root, stdio: 'pipe', encoding: 'utf8' })

try {
  if (hooksPath() === '') git('config', '--local', 'core.hooksPath', '.githooks')
} catch {
  // This is no git checkout, or there is no git: nothing will be committed from here.
}

function hooksPath() {
  try {
    return git('config', '--get', 'core.hooksPath').trim()
  } catch {
    return ''
  }
}
