import { dirname, relative } from 'node:path/posix'
import { describe, expect, test } from 'vitest'
import { composition, layers, owners, boundaries } from './arrows-table.ts'
import { brokenArrows, ruleName, rules } from './arrows.ts'
import { tempTree } from './temp-tree.ts'

/**
 * Imports that break a layer, one planted violation per entry. Further entries for a layer test
 * further limits.
 */
const forbidden: Readonly<Record<string, readonly string[]>> = {
  'server/src/runtime': ['server/src/domain/vm.ts'],
  'server/src/engine/model': ['server/src/domain/vm/vm.ts', 'node:fs'],
  'server/src/engine/database': ['server/src/domain/vm/vm.ts', 'server/src/store/op.ts'],
  'server/src/engine/postgres': ['server/src/store/op.ts'],
  'server/src/engine/changes': ['server/src/domain/vm/vm.ts'],
  'server/src/engine/kube': ['server/src/cluster/vm/read-vm.ts'],
  'server/src/engine/reconcile': ['server/src/reconcile/vm/vm.ts'],
  'server/src/engine/http': ['server/src/edge/rest/routes.ts'],
  'server/src/engine/graphql': ['server/src/edge/graphql/vm/vm.ts'],
  'server/src/engine/rest': ['server/src/edge/rest/vm/vm.ts'],
  'server/src/engine/sockets': ['server/src/usecases/vm/power-vm.ts'],
  'server/src/engine/auth': ['server/src/usecases/session/login.ts'],
  'server/src/domain': ['server/src/runtime/clock.ts', 'node:fs', 'valibot'],
  'server/src/store': ['server/src/engine/changes/tail.ts'],
  'server/src/cluster': ['server/src/store/vm/vm.ts'],
  'server/src/usecases': [
    'server/src/cluster/writer.ts',
    'server/src/engine/kube/apply.ts',
    'server/src/edge/session/viewer.ts',
  ],
  'server/src/reconcile': ['server/src/usecases/vm/power-vm.ts', 'server/src/cluster/manifests.ts'],
  'server/src/edge/graphql': ['server/src/store/vm/vm.ts', 'server/src/edge/rest-handler.ts'],
  'server/src/edge/rest': [
    'server/src/usecases/vm/power-vm.ts',
    'server/src/edge/graphql/vm/vm.ts',
  ],
  'server/src/edge': ['server/src/store/vm/vm.ts', 'server/src/reconcile/vm/vm.ts'],
  'server/sandbox': ['server/src/runtime/clock.ts'],
  web: ['server/src/domain/vm.ts', 'test/support/world.ts'],
  'web/src/runtime': ['web/src/i18n/t.ts'],
  'web/src/i18n': ['web/src/format/size.ts'],
  'web/src/format': ['web/src/ui/button.vue'],
  'web/src/ui': ['web/src/api/vms.ts', 'web/src/components/vm-card.ts'],
  'web/src/api': ['web/src/session/client.ts'],
  'web/src/session': ['web/src/composables/list.ts'],
  'web/src/composables': ['web/src/components/vm-card.ts'],
  'web/src/components': ['web/src/pages/vms/list.ts'],
  'web/src/pages': ['web/src/app/routes.ts'],
}

const layerPlants = layers.flatMap((layer) =>
  (forbidden[layer.path] ?? []).map((target) => ({
    rule: ruleName.layer(layer),
    file: `${folderOf(layer.path)}/planted.ts`,
    target,
  })),
)
const boundaryPlants = boundaries.flatMap((boundary) =>
  boundary.never.map((path) => ({
    rule: ruleName.boundary(boundary),
    file: `${folderOf(boundary.path)}/planted.ts`,
    target: `${path}/thing.ts`,
  })),
)
const ownerPlants = owners.map((owner) => ({
  rule: ruleName.owner(owner),
  file: 'server/src/usecases/planted.ts',
  target: owner.package.replace('*', 'core'),
}))
const singlePlants = [
  {
    rule: 'only bin and tests import compose',
    file: 'server/src/edge/planted.ts',
    target: 'server/src/compose.ts',
  },
  {
    rule: 'pages do not import each other',
    file: 'web/src/pages/vms/planted.ts',
    target: 'web/src/pages/networks/list.ts',
  },
  {
    rule: 'no cycles',
    file: 'server/src/domain/planted.ts',
    target: 'server/src/domain/planted.ts',
  },
]
const plants = [...layerPlants, ...boundaryPlants, ...ownerPlants, ...singlePlants]

describe('forbidden imports', () => {
  test.for(plants)(
    'the check reports a forbidden import: $rule, $file must not import $target',
    async ({ rule, file, target }) => {
      using tree = tempTree(imports(file, target, 'import type'))
      const broken = await brokenArrows(tree.root)
      expect(broken.map((finding) => finding.rule)).toContain(rule)
    },
  )

  test('the check reports a forbidden import in a Vue file', async () => {
    const text =
      '<script setup lang="ts">\nimport { card } from \'../components/card.ts\'\ncard()\n</script>\n<template><p /></template>\n'
    using tree = tempTree({ 'web/src/ui/button.vue': text, 'web/src/components/card.ts': thing })
    expect(await brokenArrows(tree.root)).toMatchObject([{ file: 'web/src/ui/button.vue' }])
  })

  test('the check reports two files that import each other, but not a lazy import back', async () => {
    const eager = {
      'web/src/app/a.ts': "import './b.ts'\n",
      'web/src/app/b.ts': "import './a.ts'\n",
    }
    using tree = tempTree(eager)
    expect((await brokenArrows(tree.root)).map((finding) => finding.rule)).toContain('no cycles')
    using lazyTree = tempTree({
      ...eager,
      'web/src/app/b.ts': "export const later = () => import('./a.ts')\n",
    })
    expect(await brokenArrows(lazyTree.root)).toEqual([])
  })

  test.for([
    { folders: ['server/src/changes', 'server/src/runtime/log'] },
    { folders: ['server/sandbox/kinds', 'server/sandbox/controllers/vms'] },
    { folders: ['web/src/components', 'web/src/components/vm'] },
    { folders: ['web/src/components/vm', 'web/src/components/volume', 'web/src/components/nic'] },
  ])(
    'the check reports folders that import each other through different files: $folders',
    async (cycle) => {
      using tree = tempTree(importCycle(cycle.folders, 'import'))
      const found = (await brokenArrows(tree.root)).filter(
        ({ rule }) => rule === 'no folder cycles',
      )
      expect(found.length).toBeGreaterThan(1)
    },
  )

  test('a folder that is imported lazily may import the importing folder', async () => {
    using tree = tempTree({
      'web/src/components/host.ts': "export const open = () => import('./vm/dialog.ts')\n",
      'web/src/components/vm/dialog.ts': "import '../title.ts'\n",
      'web/src/components/title.ts': thing,
    })
    expect(await brokenArrows(tree.root)).toEqual([])
  })

  test('every rule of the table has a planted violation', () => {
    const planted = new Set<string>(plants.map((plant) => plant.rule))
    expect(rules().filter((rule) => !planted.has(rule.name ?? ''))).toEqual([])
  })
})

describe('allowed imports', () => {
  const allowed = [
    ...layers.flatMap((layer) =>
      layer.may.map((path) => ({
        file: `${folderOf(layer.path)}/planted.ts`,
        target: `${path}/thing.ts`,
      })),
    ),
    ...owners.flatMap((owner) =>
      owner.owners.map((path) => ({
        file: `${path.replace('/*', '')}/planted.ts`,
        target: owner.package.replace('*', 'core'),
      })),
    ),
    ...composition.knownTo.map((path) => ({
      file: `${path}/planted.ts`,
      target: 'server/src/compose.ts',
    })),
    { file: 'server/src/domain/vm.test.ts', target: 'server/src/store/vm.ts' },
    { file: 'server/src/domain/vm.test.ts', target: 'server/src/compose.ts' },
    { file: 'server/src/runtime/disk.ts', target: 'node:fs' },
    { file: 'server/sandbox/apiserver/watch.ts', target: 'ws' },
    { file: 'web/src/pages/vms/list.ts', target: 'web/src/pages/vms/row.ts' },
    { file: 'web/src/app/routes.ts', target: 'web/src/pages/vms/list.ts' },
  ]

  test('a tree of all allowed imports has no findings', async () => {
    const files = allowed.map(({ file, target }, number) =>
      imports(file.replace('planted', `planted-${number}`), target, 'import'),
    )
    using tree = tempTree(Object.assign({}, ...files))
    expect(await brokenArrows(tree.root)).toEqual([])
  })
})

/** Each folder's first file imports the next folder's second file, so no file imports itself. */
function importCycle(folders: readonly string[], keyword: 'import'): Record<string, string> {
  return Object.assign(
    {},
    ...folders.map((folder, at) => {
      const next = folders[(at + 1) % folders.length] ?? folder
      return imports(`${folder}/from-${at}.ts`, `${next}/to-${at}.ts`, keyword)
    }),
  )
}

/** Returns the source folder of a package, because the rules cover only source folders. */
function folderOf(path: string): string {
  return path === 'web' || path === 'server' ? `${path}/src` : path
}

const thing = 'export const card = () => 1\n'

function imports(
  file: string,
  target: string,
  keyword: 'import' | 'import type',
): Record<string, string> {
  const isRepositoryFile = /^(server|web|test|schema)\//.test(target)
  const from = isRepositoryFile ? `./${relative(dirname(file), target)}` : target
  const text = `${keyword} { card } from '${from}'\nexport type Card = typeof card\n`
  const shipped = `node_modules/${target}`
  const installed = {
    [`${shipped}/package.json`]: `{ "name": "${target}", "main": "index.js" }`,
    [`${shipped}/index.js`]: thing,
  }
  if (isRepositoryFile) return { [target]: thing, [file]: text }
  return target.startsWith('node:') ? { [file]: text } : { ...installed, [file]: text }
}
