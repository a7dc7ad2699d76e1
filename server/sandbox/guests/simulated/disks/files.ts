import { type FileSystem } from './file-system.ts'

export class FileError extends Error {}

const maxFileBytes = 1024 * 1024

/** Resolves a path against a folder. The result has no `.` and `..`. */
export function absolute(path: string, folder: string): string {
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/**
 * The files that a simulated guest sees: its root, its mounts, and generated ones such as
 * `/proc/uptime`.
 */
export class Files {
  readonly root: FileSystem
  readonly mounts = new Map<string, FileSystem>()
  readonly #generated: Readonly<Record<string, () => string>>

  constructor(root: FileSystem, generated: Readonly<Record<string, () => string>>) {
    this.root = root
    this.#generated = generated
  }

  read(path: string): string {
    const generate = this.#generated[path]
    if (generate) return generate()
    const { system, inner } = this.#at(path)
    if (this.isFolder(path)) throw new FileError('Is a directory')
    const content = system.tree.get(inner)
    if (content === undefined || content === null) throw new FileError('No such file or directory')
    return content
  }

  write(path: string, content: string): void {
    if (this.isFolder(path)) throw new FileError('Is a directory')
    if (!this.isFolder(parentOf(path))) throw new FileError('No such file or directory')
    if (Buffer.byteLength(content) > maxFileBytes) throw new FileError('No space left on device')
    const { system, inner } = this.#at(path)
    system.tree.set(inner, content)
    system.save()
  }

  makeFolder(path: string, { withParents = false } = {}): void {
    if (this.exists(path)) {
      if (withParents && this.isFolder(path)) return
      throw new FileError('File exists')
    }
    if (!this.isFolder(parentOf(path))) {
      if (!withParents) throw new FileError('No such file or directory')
      this.makeFolder(parentOf(path), { withParents })
    }
    const { system, inner } = this.#at(path)
    system.tree.set(inner, null)
    system.save()
  }

  remove(path: string): void {
    if (!this.exists(path)) throw new FileError('No such file or directory')
    const { system, inner } = this.#at(path)
    if (inner === '/') throw new FileError('Device or resource busy')
    for (const each of [...system.tree.keys()])
      if (each === inner || each.startsWith(`${inner}/`)) system.tree.delete(each)
    system.save()
  }

  exists(path: string): boolean {
    if (this.#generated[path] || this.isFolder(path)) return true
    const { system, inner } = this.#at(path)
    return system.tree.has(inner)
  }

  isFolder(path: string): boolean {
    const { system, inner } = this.#at(path)
    if (inner === '/' || system.tree.get(inner) === null) return true
    return Object.keys(this.#generated).some((each) => each.startsWith(`${path}/`))
  }

  list(path: string): string[] {
    if (!this.isFolder(path))
      throw new FileError(this.exists(path) ? 'Not a directory' : 'No such file or directory')
    const { system, inner } = this.#at(path)
    const within = (all: Iterable<string>, folder: string): string[] => {
      const prefix = folder === '/' ? '/' : `${folder}/`
      return [...all]
        .filter((each) => each.startsWith(prefix) && each !== folder)
        .map((each) => each.slice(prefix.length).split('/')[0] ?? '')
    }
    const names = [
      ...within(system.tree.keys(), inner),
      ...within(Object.keys(this.#generated), path),
      ...within(this.mounts.keys(), path),
    ]
    return [...new Set(names)].filter((name) => name !== '').sort()
  }

  #at(path: string): { system: FileSystem; inner: string } {
    const mountPoint = [...this.mounts.keys()]
      .filter((each) => path === each || path.startsWith(`${each}/`))
      .sort((a, b) => b.length - a.length)[0]
    const system = mountPoint === undefined ? undefined : this.mounts.get(mountPoint)
    if (mountPoint === undefined || !system) return { system: this.root, inner: path }
    return { system, inner: path.slice(mountPoint.length) || '/' }
  }
}
