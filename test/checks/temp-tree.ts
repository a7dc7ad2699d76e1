import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A small repository in a folder of its own; it goes away with `using`. */
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
