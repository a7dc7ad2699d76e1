import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

// `npm run dev` runs this first. A clone without configured hooks uses those in .githooks.
const root = join(import.meta.dirname, '..', '..')
const git = (...args) => execFileSync('git', args, { cwd: root, stdio: 'pipe', encoding: 'utf8' })

try {
  if (hooksPath() === '') git('config', '--local', 'core.hooksPath', '.githooks')
} catch {
  // Without git or a checkout, nothing will be committed here.
}

function hooksPath() {
  try {
    return git('config', '--get', 'core.hooksPath').trim()
  } catch {
    return ''
  }
}
