import { dirname } from 'node:path/posix'
import type { IModule } from 'dependency-cruiser'
import { acyclicFolders } from './arrows-table.ts'
import type { Finding } from './finding.ts'

/** Finds folders that import each other, directly or through other folders. */
export function folderCycles(modules: readonly IModule[], tests: RegExp): Finding[] {
  const arrows = modules
    .filter(({ source }) => !tests.test(source))
    .flatMap(({ source, dependencies }) =>
      dependencies
        // The routes import their pages dynamically, and a page may use its router.
        .filter(({ dynamic }) => !dynamic)
        .map(({ resolved }) => ({ file: source, from: folderOf(source), to: folderOf(resolved) })),
    )
    .filter(({ from, to }) => from !== null && to !== null && from !== to)
  const reached = reachableFrom(arrows)
  const inCycle = arrows.filter(({ from, to }) => reached(to).has(from))
  const first = new Map(inCycle.toReversed().map((arrow) => [`${arrow.from} ${arrow.to}`, arrow]))
  return [...first.values()].map(({ file, from, to }) => ({
    file,
    rule: 'no folder cycles',
    message: `lets ${from} import ${to}, which imports ${from} in turn`,
  }))
}

function folderOf(file: string): string | null {
  if (acyclicFolders.deepRoots.some((root) => file.startsWith(`${root}/`))) return dirname(file)
  const root = acyclicFolders.roots.find((each) => file.startsWith(`${each}/`))
  // A file beside the folder of the same name belongs to that folder.
  const [name] = root ? file.slice(root.length + 1).split(/[/.]/) : []
  return root && name ? `${root}/${name}` : null
}

interface Arrow {
  readonly from: string | null
  readonly to: string | null
}

function reachableFrom(arrows: readonly Arrow[]) {
  const next = Map.groupBy(arrows, ({ from }) => from)
  const known = new Map<string | null, ReadonlySet<string | null>>()
  return (start: string | null): ReadonlySet<string | null> => {
    const found = known.get(start) ?? new Set([start])
    if (known.has(start)) return found
    // Iterating over a set also visits the elements that are added during the iteration.
    const growing = new Set(found)
    for (const folder of growing) for (const { to } of next.get(folder) ?? []) growing.add(to)
    known.set(start, growing)
    return growing
  }
}
