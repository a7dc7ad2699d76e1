import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser'
import { composition, layers, owners, boundaries, type Layer, type Owner } from './arrows-table.ts'
import type { Finding } from './finding.ts'
import { folderCycles } from './folder-cycles.ts'

/** The folders that the rules cover. Everything else in the repository is configuration. */
const roots = ['server/src', 'server/sandbox', 'web/src', 'test']
const pages = 'web/src/pages'

// Tests stand beside the code and may import every layer. The rules cover shipped code.
const tests = String.raw`(\.test\.ts$|^(server/sandbox/)?test/)`

/** Returns every import that breaks the table. */
export async function brokenArrows(root: string): Promise<Finding[]> {
  const present = roots.filter((folder) => existsSync(join(root, folder)))
  const { output } = await cruise(present, {
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: rules() },
    // Type imports disappear in compilation, but they count as arrows.
    tsPreCompilationDeps: true,
    exclude: { path: '(^|/)dist/' },
    doNotFollow: { path: 'node_modules' },
  })
  // Without a reporter, dependency-cruiser returns an object and never text.
  const { modules, summary } = output as ICruiseResult
  const violations = summary.violations.map(({ rule, from, to, cycle }) => ({
    rule: rule.name,
    file: from,
    message: cycle
      ? `imports itself through ${cycle.map((step) => step.name).join(' -> ')}`
      : `imports ${to}`,
  }))
  return [...violations, ...folderCycles(modules, new RegExp(tests))]
}

/** Returns the rules of dependency-cruiser for the table. */
export function rules(): IForbiddenRuleType[] {
  return [
    ...layers.map(layerRule),
    ...boundaries.map(boundaryRule),
    ...owners.map(ownerRule),
    ...singleRules,
  ]
}

export const ruleName = {
  layer: ({ path }: Pick<Layer, 'path'>): string => `arrows of ${path}`,
  boundary: ({ path }: Pick<Layer, 'path'>): string => `boundary of ${path}`,
  owner: (owner: Pick<Owner, 'package'>): string => `owner of ${owner.package}`,
}

function layerRule(layer: Layer): IForbiddenRuleType {
  const self = inside(layer.path)
  const allowed = [self, ...layer.may.map(inside)]
  const elsewhere = layer.packages === false ? {} : { path: '^(server|web|test|schema)/' }
  const ownPackages = layer.packages === false ? [] : ['(^|/)node_modules/']
  return {
    name: ruleName.layer(layer),
    comment: `${layer.path} may import ${layer.may.join(', ') || 'nothing'}`,
    severity: 'error',
    from: { path: self, pathNot: tests },
    to: { ...elsewhere, pathNot: [...allowed, ...ownPackages] },
  }
}

function boundaryRule(boundary: (typeof boundaries)[number]): IForbiddenRuleType {
  return {
    name: ruleName.boundary(boundary),
    comment: boundary.because,
    severity: 'error',
    from: { path: inside(boundary.path), pathNot: tests },
    to: { path: boundary.never.map(inside), pathNot: '(^|/)node_modules/' },
  }
}

function ownerRule(owner: Owner): IForbiddenRuleType {
  const name = owner.package.replace('*', '[^/]+')
  return {
    name: ruleName.owner(owner),
    comment: `${owner.package} belongs to ${owner.owners.join(', ')}`,
    severity: 'error',
    from: { path: '^server/src/', pathNot: [tests, ...owner.owners.map(inside)] },
    // A package that is not installed keeps its bare name. Its types may come from DefinitelyTyped.
    to: { path: `(^|/node_modules/|^node_modules/)(@types/)?${name}(/|$)` },
  }
}

const singleRules: IForbiddenRuleType[] = [
  {
    name: 'only bin and tests import compose',
    severity: 'error',
    from: {
      pathNot: [
        String.raw`\.test\.ts$`,
        inside(composition.path),
        ...composition.knownTo.map(inside),
      ],
    },
    to: { path: inside(composition.path) },
  },
  {
    name: 'pages do not import each other',
    severity: 'error',
    from: { path: `^${pages}/([^/]+)/`, pathNot: tests },
    to: { path: `^${pages}/`, pathNot: `^${pages}/$1/` },
  },
  {
    name: 'no cycles',
    severity: 'error',
    from: {},
    // Lazy imports are exempt: the routes import their pages lazily, and a page may use the router.
    to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
  },
]

/** Matches a folder with all below it, the files directly in it (`x/*`), or a single file. */
function inside(path: string): string {
  return path.endsWith('/*') ? `^${path.slice(0, -2)}/[^/]+$` : String.raw`^${path}(/|\.[a-z]+$)`
}
