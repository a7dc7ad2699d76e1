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

// The formatter wraps code. Sentences, addresses and patterns stay in one piece.
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

/** The rules that need types are in typed-rules.json. */
const common = {
  eqeqeq: 'error',
  'max-len': width,
  'no-restricted-exports': 'off',
  // oxlint obeys disabling comments of this name, while ESLint ignores its own here.
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
  // Vue's own types use `{}` for a component without props or slots.
  '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
  'berth/explain-cast': 'error',
  'berth/named-exports': 'error',
  'berth/no-export-bundles': 'error',
  'berth/no-packed-literals': 'error',
  'berth/plain-names': 'error',
}

const inTests = {
  'max-lines-per-function': 'off',
  // A wrong cast in a test fails that test, so its reason would only repeat the assertion.
  'berth/explain-cast': 'off',
  '@typescript-eslint/no-non-null-assertion': 'off',
}

const inVue = {
  'max-len': 'off',
  // The Tailwind classes of an element are one attribute of any length.
  'vue/max-len': [
    'error',
    { ...width[1], ignoreHTMLAttributeValues: true, ignoreHTMLTextContents: true },
  ],
  'vue/multi-word-component-names': 'off',
  'vue/block-lang': ['error', { script: { lang: 'ts' } }],
  'vue/component-api-style': ['error', ['script-setup']],
  'vue/no-v-html': 'error',
  // vue-tsc reports the same in a fraction of the time.
  'vue/no-ref-as-operand': 'off',
  'vue/require-default-prop': 'off',
}

/**
 * Attributes with text for users or screen readers. The text of a UiSentence is a message by its
 * type.
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
// Units, names and literal input, which are never translated.
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

/** The presets of eslint-plugin-vue set their files. The added rules here need the extension. */
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
  // Exceptions belong into test/exceptions, with a reason and a count, and never beside the code.
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' } },
  { plugins: { berth, '@typescript-eslint': tseslint.plugin } },
  ...tseslint.configs.recommended.map(forSourceFiles),
  ...tseslint.configs.strict.map(forSourceFiles),
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
    rules: { 'berth/translated-texts': 'error' },
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
  // Every Node version must be able to parse this file, however old.
  { files: ['server/bootstrap/require-node.js'], rules: { 'no-var': 'off' } },
  { files: tests, rules: inTests },
  // GraphQL determines the parameters of a resolver: parent, arguments, context and info, or one
  // per argument of the field.
  { files: ['server/src/edge/graphql/**/*.ts'], rules: { '@typescript-eslint/max-params': 'off' } },
  ...banRules,
]

function forSourceFiles(config) {
  return { ...config, files: ['**/*.ts', '**/*.vue', '**/*.js'] }
}
