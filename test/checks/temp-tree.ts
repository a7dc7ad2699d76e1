import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Creates a small repository in a temporary folder. It is deleted at the end of `using`. */
export function tempTree(
  files: Readonly<Record<string, string>>,
): Disposable & { readonly root: string } {
  const root = mkdtempSync(join(tmpdir(), 'berth-tree-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}
