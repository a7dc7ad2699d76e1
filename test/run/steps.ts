/** A step of `npm test`. A check counts as one result, and each test of a `tests` step as one. */
export interface Step {
  readonly name: string
  /** Arguments of the bundled Node. */
  readonly run: readonly string[]
  readonly kind: 'check' | 'tests'
  /** Starts when these steps have ended, passed or failed. */
  readonly after?: readonly string[]
  /** Starts only when these steps have passed. Otherwise it counts as failed. */
  readonly needs?: readonly string[]
  /** True when no other step may run at the same time. */
  readonly alone?: true
  readonly limitSeconds: number
}

const vitest = 'test/node_modules/vitest/vitest.mjs'

const check = (name: string, run: readonly string[], more: Partial<Step> = {}): Step => ({
  name,
  run,
  kind: 'check',
  limitSeconds: 180,
  ...more,
})

const tests = (name: string, args: readonly string[], more: Partial<Step> = {}): Step => ({
  name,
  run: [
    vitest,
    'run',
    '--reporter=dot',
    '--reporter=./test/run/vitest-reporter.ts',
    '--passWithNoTests',
    ...args,
  ],
  kind: 'tests',
  limitSeconds: 600,
  ...more,
})

/** Patterns of the files that Prettier formats. */
export const formatted = [
  'server/**/*.{ts,js}',
  'web/**/*.{ts,js,vue,css,html}',
  'test/**/*.{ts,js,json}',
  '*.json',
  '!**/*.d.ts',
  '!**/dist/**',
]

/** The steps of `npm test`, in the order of their results. */
export const steps: readonly Step[] = [
  check('build', ['test/run/build.js']),
  check('types', ['test/checks/check-types.ts'], { after: ['build'], limitSeconds: 400 }),
  check(
    'types web',
    [
      'web/node_modules/vue-tsc/bin/vue-tsc.js',
      '-p',
      'web',
      '--noEmit',
      '--incremental',
      '--tsBuildInfoFile',
      'node_modules/.cache/tsc/web.json',
    ],
    { after: ['build'] },
  ),
  check('lint', ['test/checks/check-lint.ts'], { after: ['build'], limitSeconds: 400 }),
  check('format', [
    'test/node_modules/prettier/bin/prettier.cjs',
    '--check',
    '--log-level',
    'warn',
    '--no-error-on-unmatched-pattern',
    ...formatted,
  ]),
  check('arrows', ['test/checks/check-arrows.ts']),
  check('tree', ['test/checks/check-tree.ts']),
  check('prose', ['test/checks/prose/check-prose.ts']),
  check('lockfile', ['test/checks/check-lockfile.ts']),
  check('unused', [
    'test/node_modules/knip/bin/knip.js',
    '--config',
    'test/checks/knip.ts',
    '--no-progress',
    '--no-config-hints',
  ]),
  check('schema', ['test/checks/check-schema.ts'], { needs: ['build'] }),
  check('origins', ['test/checks/check-origins.ts'], { needs: ['build'] }),
  tests('checks', ['--config', 'test/checks/vitest.config.ts']),
  check('browser', ['test/run/ensure-browser.ts'], { limitSeconds: 400 }),
  check('client', ['test/run/ensure-kubectl.ts'], { limitSeconds: 400, after: ['browser'] }),
  tests(
    'suite',
    [
      '--config',
      'test/vitest.config.ts',
      '--project',
      'units',
      '--project',
      'suite',
      '--project',
      'plain',
      '--project',
      'alone',
    ],
    {
      after: ['build', 'client'],
      alone: true,
      limitSeconds: 2_000,
    },
  ),
  tests('e2e', ['--config', 'test/vitest.config.ts', '--project', 'e2e'], {
    needs: ['build', 'browser'],
    alone: true,
    limitSeconds: 900,
  }),
]

/**
 * Returns the steps that `npm test -- --only <words>` runs: those whose names begin with a word,
 * and those that they need. A step that runs alone brings the steps of `after` too, because its
 * tests use what these provide. No words select all steps.
 */
export function selected(words: readonly string[]): Step[] {
  const isSelected = (step: Step) =>
    words.length === 0 || words.some((word) => step.name.startsWith(word))
  const names = new Set(
    steps
      .filter(isSelected)
      .flatMap((step) => [
        step.name,
        ...(step.needs ?? []),
        ...(step.alone ? (step.after ?? []) : []),
      ]),
  )
  return steps.filter((step) => names.has(step.name))
}
