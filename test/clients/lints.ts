import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, installPackages, run } from './command.ts'

/** A linter of the contract, which is not a dependency of this project. */
export interface Lint {
  name: string
  needs: readonly Command[]
  /** Throws with the findings, if there are any. */
  run: (context: { openApi: string; sdl: string; folder: string }) => void
}

const needs: Lint['needs'] = [['npm', '--version']]
const rules = join(import.meta.dirname, 'rules')

const redocly: Lint = {
  name: 'redocly',
  needs,
  run({ openApi, folder }) {
    installPackages(['@redocly/cli@2.77.0'], folder)
    run(['npx', 'redocly', 'lint', openApi, '--config', join(rules, 'redocly.yaml')], folder, {
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    })
  },
}

const spectral: Lint = {
  name: 'spectral',
  needs,
  run({ openApi, folder }) {
    installPackages(['@stoplight/spectral-cli@6.16.3'], folder)
    const options = ['--ruleset', join(rules, 'spectral.yaml'), '--fail-severity', 'hint']
    run(['npx', 'spectral', 'lint', openApi, ...options], folder)
  },
}

/** Turns on all rules for schemas, but for the exceptions, which have a reason each. */
const graphqlEslintConfig = `
import graphql from '@graphql-eslint/eslint-plugin'
import exceptions from './exceptions.json' with { type: 'json' }

const { rules: all } = graphql.configs['flat/schema-all']
const { rules: relay } = graphql.configs['flat/schema-relay']
const off = Object.keys(exceptions).map((rule) => ['@graphql-eslint/' + rule, 'off'])
export default [
  {
    files: ['*.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: './schema.graphql' } },
    },
    plugins: { '@graphql-eslint': graphql },
    rules: { ...all, ...relay, ...Object.fromEntries(off) },
  },
]
`

const graphqlEslint: Lint = {
  name: 'graphql-eslint',
  needs,
  run({ sdl, folder }) {
    installPackages(
      ['@graphql-eslint/eslint-plugin@4.4.1', 'eslint@9.39.1', 'graphql@16.15.0'],
      folder,
    )
    // ESLint reads only files below its configuration, which imports the packages beside it.
    writeFileSync(join(folder, 'eslint.config.js'), graphqlEslintConfig)
    copyFileSync(join(rules, 'graphql-eslint.json'), join(folder, 'exceptions.json'))
    copyFileSync(sdl, join(folder, 'schema.graphql'))
    run(['npx', 'eslint', '--max-warnings', '0', 'schema.graphql'], folder)
  },
}

export const lints: readonly Lint[] = [redocly, spectral, graphqlEslint]
