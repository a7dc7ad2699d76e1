import vue from 'eslint-plugin-vue'
import tseslint from 'typescript-eslint'
import vueParser from 'vue-eslint-parser'
import { bans } from './banned.ts'
import { berth } from './plugin.ts'

const tests = ['**/*.test.ts', 'test/**/*.ts', 'server/sandbox/test/**/*.ts']

const size = {
  'max-lines': ['error', { max: 400 }],
  'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
  '@typescript-eslint/max-params': ['error', { max: 3 }],
  'max-depth': ['error', 3],
  complexity: ['error', 10],
}

// The formatter breaks code; sentences, addresses and patterns stay in one piece.
const width = [
  'error',
  {
    code: 100,
    ignoreStrings: true,
    ignoreTemplateLiterals: true,
    ignoreRegExpLiterals: true,
    ignoreUrls: true,
  },
]

/** The rules that need types stand in typed-rules.json. */
const common = {
  eqeqeq: 'error',
  'max-len': width,
  'no-restricted-exports': 'off',
  // The typed rules heed comments of this name, unlike ESLint here.
  'no-warning-comments': ['error', { terms: ['oxlint-'], location: 'anywhere' }],
  'object-shorthand': 'error',
  'prefer-const': 'error',
  '@typescript-eslint/consistent-type-imports': [
    'error',
    { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
  ],
  '@typescript-eslint/no-unused-vars': [
    'error',
    { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
  ],
  '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
  // `{}` of a component without props or slots is how Vue's own types say it.
  '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
  'berth/explain-cast': 'error',
  'berth/named-exports': 'error',
  'berth/no-export-bundles': 'error',
  'berth/no-packed-literals': 'error',
  'berth/plain-names': 'error',
}

const inTests = {
  'max-lines-per-function': 'off',
  // A wrong cast or a wrong shape in a test fails that test; the reason would only repeat it.
  'berth/explain-cast': 'off',
  '@typescript-eslint/no-non-null-assertion': 'off',
}

const inVue = {
  'max-len': 'off',
  // Classes of Tailwind are one attribute, however many.
  'vue/max-len': [
    'error',
    { ...width[1], ignoreHTMLAttributeValues: true, ignoreHTMLTextContents: true },
  ],
  'vue/multi-word-component-names': 'off',
  'vue/block-lang': ['error', { script: { lang: 'ts' } }],
  'vue/component-api-style': ['error', ['script-setup']],
  'vue/no-v-html': 'error',
  // vue-tsc finds it too, in a fraction of the seconds.
  'vue/no-ref-as-operand': 'off',
  'vue/require-default-prop': 'off',
}

/**
 * Attributes whose value people read or hear. The text of a UiSentence is a message by its type.
 */
const readAttributes = [
  'title',
  'label',
  'lead',
  'hint',
  'alt',
  'placeholder',
  'confirm-label',
  'disabled-reason',
  'empty',
  'aria-label',
  'aria-description',
]
// Units, names, and what has to be typed as it stands.
const sameEverywhere = [
  'Berth',
  'Cloud-init',
  'GiB',
  'MiB',
  'vCPU',
  'MAC',
  'ssh',
  'Ctrl-Alt-Del',
  'Ctrl',
  'K',
  '→',
  'berth.yaml',
  'chmod 600',
  '.pem',
  'security.introspection: true',
  '#cloud-config',
  '203.0.113.0/24',
  'ssh-ed25519 AAAA… you@laptop',
  '·',
  '–',
  '…',
  '/',
  ':',
  ',',
  '.',
  '%',
  '(',
  ')',
]

/** eslint-plugin-vue's presets name their files themselves; only ours need the ending. */
const forVue = [
  ...vue.configs['flat/recommended'],
  { rules: vue.configs['no-layout-rules'].rules },
].map((config) => ({
  files: ['**/*.vue'],
  ...config,
}))

const banRules = bans.map((ban) => ({
  name: `berth/${ban.name}`,
  files: ban.where.flatMap((glob) =>
    /\.\w+$/.test(glob) ? [glob] : ['ts', 'js', 'vue'].map((ending) => `${glob}/*.${ending}`),
  ),
  ignores: [...ban.except],
  rules: { [`berth/${ban.name}`]: 'error' },
}))

export default [
  {
    ignores: [
      '**/node_modules/**',
      '**/dist/**',
      '**/.berth/**',
      '**/.berth-dev/**',
      '**/*.d.ts',
      '**/*.gen.ts',
    ],
  },
  // An exception stands in test/exceptions with its reason, where it is counted; never beside the
  // code.
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' } },
  { plugins: { berth, '@typescript-eslint': tseslint.plugin } },
  ...tseslint.configs.recommended.map(forOurFiles),
  ...tseslint.configs.strict.map(forOurFiles),
  ...forVue,
  {
    files: ['**/*.ts', '**/*.vue'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { extraFileExtensions: ['.vue'] },
    },
    rules: { ...size, ...common },
  },
  {
    files: ['**/*.vue'],
    languageOptions: { parser: vueParser, parserOptions: { parser: tseslint.parser } },
    rules: inVue,
  },
  {
    files: ['web/src/**/*.ts', 'web/src/**/*.vue'],
    ignores: tests,
    rules: { 'berth/said-words': 'error' },
  },
  {
    files: ['web/src/**/*.vue'],
    rules: {
      'vue/no-bare-strings-in-template': [
        'error',
        { allowlist: sameEverywhere, attributes: { '/.+/': readAttributes } },
      ],
    },
  },
  { files: ['**/*.js'], rules: { ...size, 'berth/plain-names': 'error' } },
  // Read by any Node, however old.
  { files: ['server/bootstrap/require-node.js'], rules: { 'no-var': 'off' } },
  { files: tests, rules: inTests },
  // A resolver's parameters are GraphQL's, not its author's: parent, arguments, context, info; or
  // one per argument of the field.
  { files: ['server/src/edge/graphql/**/*.ts'], rules: { '@typescript-eslint/max-params': 'off' } },
  ...banRules,
]

function forOurFiles(config) {
  return { ...config, files: ['**/*.ts', '**/*.vue', '**/*.js'] }
}
