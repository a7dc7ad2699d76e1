import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser'
import { composition, layers, owners, walls, type Layer, type Owner } from './arrows-table.ts'
import type { Finding } from './finding.ts'
import { folderCycles } from './folder-cycles.ts'

/** Where the rules look; everything else in the repository is configuration. */
const roots = ['server/src', 'server/sandbox', 'web/src', 'test']
const pages = 'web/src/pages'

// Tests stand beside the code and reach through every layer on purpose; the rules are about what
// ships.
const tests = String.raw`(\.test\.ts$|^(server/sandbox/)?test/)`

/** Every import of the tree that goes against the table. */
export async function brokenArrows(root: string): Promise<Finding[]> {
  const present = roots.filter((folder) => existsSync(join(root, folder)))
  const { output } = await cruise(present, {
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: rules() },
    // Type imports are gone after compilation, but they count as arrows.
    tsPreCompilationDeps: true,
    exclude: { path: '(^|/)dist/' },
    doNotFollow: { path: 'node_modules' },
  })
  // Without a reporter the cruise answers its result object, never text.
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

export function rules(): IForbiddenRuleType[] {
  return [
    ...layers.map(layerRule),
    ...walls.map(wallRule),
    ...owners.map(ownerRule),
    ...singleRules,
  ]
}

export const ruleName = {
  layer: ({ place, direct }: Pick<Layer, 'place' | 'direct'>): string =>
    `arrows of ${place}${direct ? '/*' : ''}`,
  wall: ({ place }: Pick<Layer, 'place'>): string => `wall of ${place}`,
  owner: (owner: Pick<Owner, 'package'>): string => `owner of ${owner.package}`,
}

function layerRule(layer: Layer): IForbiddenRuleType {
  const self = layer.direct ? `^${layer.place}/[^/]+$` : inside(layer.place)
  const allowed = [self, ...layer.may.map(inside)]
  const elsewhere = layer.packages === false ? {} : { path: '^(server|web|test|schema)/' }
  const ownPackages = layer.packages === false ? [] : ['(^|/)node_modules/']
  return {
    name: ruleName.layer(layer),
    comment: `${layer.place} may import ${layer.may.join(', ') || 'nothing'}`,
    severity: 'error',
    from: { path: self, pathNot: tests },
    to: { ...elsewhere, pathNot: [...allowed, ...ownPackages] },
  }
}

function wallRule(wall: (typeof walls)[number]): IForbiddenRuleType {
  return {
    name: ruleName.wall(wall),
    comment: wall.because,
    severity: 'error',
    from: { path: inside(wall.place), pathNot: tests },
    to: { path: wall.never.map(inside), pathNot: '(^|/)node_modules/' },
  }
}

function ownerRule(owner: Owner): IForbiddenRuleType {
  const name = owner.package.replace('*', '[^/]+')
  return {
    name: ruleName.owner(owner),
    comment: `${owner.package} belongs to ${owner.owners.join(', ')}`,
    severity: 'error',
    from: { path: '^server/src/', pathNot: [tests, ...owner.owners.map(inside)] },
    // A package that is not installed keeps its bare name; its types may come from DefinitelyTyped.
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
        inside(composition.place),
        ...composition.knownTo.map(inside),
      ],
    },
    to: { path: inside(composition.place) },
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
    // A lazy import waits until it is asked for: the routes name their pages so, and a page may use
    // the router.
    to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
  },
]

/** A folder with all below it, the files directly in it (`x/*`), or a single file. */
function inside(place: string): string {
  return place.endsWith('/*') ? `^${place.slice(0, -2)}/[^/]+$` : String.raw`^${place}(/|\.[a-z]+$)`
}
