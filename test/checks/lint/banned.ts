/**
 * Calls that the house style bans, each with its reason. A row becomes the lint rule
 * `berth/<name>`. `where` and `except` are globs from the repository's root; `match` has AST
 * selectors.
 */
export interface Ban {
  readonly name: string
  readonly because: string
  readonly match: readonly string[]
  readonly where: readonly string[]
  readonly except: readonly string[]
}

const shipped = ['server/src/**', 'server/sandbox/**', 'web/src/**']
const besideTests = ['**/*.test.ts', 'server/sandbox/test/**']
const everywhere = ['server/**', 'web/**', 'test/**']
/** Terminal programs may print, read the environment and use the clock of the machine. */
const programs = ['server/bootstrap/**', 'test/run.js', 'test/run/**', 'test/bench/**']

const called = (object: string, ...properties: readonly string[]) =>
  properties.map(
    (property) =>
      `CallExpression[callee.object.name='${object}'][callee.property.name='${property}']`,
  )
// A regular expression of esquery cannot contain a slash.
const imported = (module: string) =>
  `ImportDeclaration[source.value=/^(node:)?${module.replace('/', '.')}$/]`
const callTo = (names: string) => `CallExpression[callee.name=/^(${names})$/]`
const globalCallTo = (names: string) =>
  `CallExpression[callee.object.name=/^(globalThis|window|self)$/][callee.property.name=/^(${names})$/]`

const timers = 'setTimeout|setInterval|setImmediate|requestIdleCallback'

export const bans: readonly Ban[] = [
  {
    name: 'no-process-env',
    because:
      'runtime/config is the only reader of the environment, so that every setting is validated at start and printed by `berth config check`',
    match: [
      "MemberExpression[object.name='process'][property.name='env']",
      "MemberExpression[object.property.name='process'][property.name='env']",
      "VariableDeclarator[init.name='process'] > ObjectPattern > Property[key.name='env']",
      `${imported('process')} > ImportSpecifier[imported.name='env']`,
      "MemberExpression[object.type='MetaProperty'][property.name='env']",
    ],
    where: shipped,
    except: [
      'server/src/runtime/config/**',
      'server/src/bin/**',
      'server/sandbox/bin/**',
      ...besideTests,
    ],
  },
  {
    name: 'no-wall-clock',
    because:
      'time comes from runtime/clock (the sandbox and the web have one clock each), so that tests can move it and correctness rests on the database',
    match: [
      ...called('Date', 'now'),
      "NewExpression[callee.name='Date'][arguments.length=0]",
      callTo('Date'),
      ...called('performance', 'now'),
      "MemberExpression[object.name='performance'][property.name='timeOrigin']",
      "CallExpression[callee.object.name='process'][callee.property.name=/^(hrtime|uptime)$/]",
      "MemberExpression[object.object.name='process'][object.property.name='hrtime']",
      imported('perf_hooks'),
    ],
    where: shipped,
    except: [
      'server/src/runtime/**',
      'server/sandbox/**/clock.ts',
      'web/src/**/clock.ts',
      ...besideTests,
    ],
  },
  {
    name: 'no-timers',
    because:
      'timers come from runtime/clock (on the web from its clock), which stops them with the process or the page',
    match: [callTo(timers), globalCallTo(timers), imported('timers'), imported('timers/promises')],
    where: shipped,
    except: [
      'server/src/runtime/**',
      'server/sandbox/**/clock.ts',
      'web/src/**/clock.ts',
      ...besideTests,
    ],
  },
  {
    name: 'no-console',
    because:
      'log lines are JSON with a request id and redacted secrets: use runtime/log; a program of bin writes to stdout',
    match: ["MemberExpression[object.name='console']", imported('console')],
    where: everywhere,
    except: programs,
  },
  {
    name: 'no-bare-error',
    because:
      'a refusal is a Fault with a code; a programming error is a TypeError, a RangeError or a class for it',
    match: [
      "ThrowStatement > NewExpression[callee.name='Error']",
      "ThrowStatement > CallExpression[callee.name='Error']",
    ],
    where: ['server/src/**'],
    except: besideTests,
  },
  {
    name: 'no-module-mocks',
    because:
      'tests use the public interfaces; a mocked module proves only the assumptions of the mock',
    match: [
      'CallExpression[callee.object.name=/^(vi|vitest|jest)$/][callee.property.name=/^(mock|doMock|unmock|hoisted|stubGlobal)$/]',
    ],
    where: everywhere,
    except: [],
  },
  {
    name: 'no-sleeps',
    because:
      'wait for the condition with a deadline (test/support); a sleep is too short on a slow machine and too long on a fast one',
    match: [
      `NewExpression[callee.name='Promise'] ${callTo('setTimeout|setInterval')}`,
      `${imported('timers/promises')} > ImportSpecifier[imported.name=/^(setTimeout|scheduler)$/]`,
      callTo('sleep|delay'),
    ],
    where: ['**/*.test.ts', 'test/**'],
    except: ['test/support/**', ...programs],
  },
  {
    name: 'no-lone-tests',
    because:
      'one focused test disables all other tests of its file; select tests on the command line instead',
    match: [
      "CallExpression[callee.object.name=/^(test|it|describe)$/][callee.property.name='only']",
      "MemberExpression[object.object.name=/^(test|it|describe)$/][object.property.name='only']",
    ],
    where: besideTests,
    except: [],
  },
  {
    name: 'no-retries',
    because: 'a test that passes at the second try has shown a bug; find it',
    match: [
      "CallExpression[callee.object.name=/^(test|it|describe)$/][callee.property.name='retry']",
      "CallExpression[callee.name=/^(test|it|describe)$/] > ObjectExpression > Property[key.name='retry']",
      "Property[key.name='test'] Property[key.name='retry']",
    ],
    where: [...besideTests, 'test/*.ts'],
    except: [],
  },
  {
    name: 'no-raw-sql',
    because:
      'SQL belongs into store (and the tail of changes), where the tenant and row level security are set',
    match: [
      "TaggedTemplateExpression[tag.name='sql']",
      "TaggedTemplateExpression[tag.object.name='sql']",
      "CallExpression[callee.object.name='sql'][callee.property.name=/^(raw|lit|id|table|ref)$/]",
      'CallExpression[callee.property.name=/^(query|raw|execute|executeSql|unsafe)$/] > Literal.arguments:first-child[value=/^\\s*(select|insert|update|delete|with|create|drop|alter|set|listen|notify|begin|truncate|lock)\\b/i]',
      'CallExpression[callee.property.name=/^(query|raw|execute|executeSql|unsafe)$/] > TemplateLiteral.arguments:first-child > TemplateElement:first-child[value.raw=/^\\s*(select|insert|update|delete|with|create|drop|alter|set|listen|notify|begin|truncate|lock)\\b/i]',
    ],
    where: ['server/src/**'],
    except: [
      'server/src/store/**',
      'server/src/engine/{auth,changes,database,postgres,reconcile}/**',
      ...besideTests,
    ],
  },
  {
    name: 'no-module-state',
    because:
      'state belongs to an object that compose creates, because several servers and test files share a process; a WeakMap may cache values derived from its key',
    match: [
      `:matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration[kind='let']`,
      ":matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator[init.type='NewExpression'][init.callee.name=/^(Map|Set)$/][init.arguments.length=0]",
    ],
    where: ['server/src/**'],
    except: [
      // Caches of statements and their names, the same for every database.
      'server/src/engine/database/**',
      'server/src/domain/snapshot-schedule/local-time.ts',
      // The failpoint plan of a test (decision 0068).
      'server/src/runtime/failpoint.ts',
      ...besideTests,
    ],
  },
]
