import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client } from './client.ts'
import { installPackages, run } from './command.ts'
import { runTypescript, writeCompilerOptions } from './typescript-program.ts'
import { apolloProgram } from './programs/graphql-codegen.ts'
import { urqlProgram } from './programs/gql-tada.ts'

const needs: Client['needs'] = [['npm', '--version']]

const codegenWithApollo: Client = {
  name: 'graphql-codegen with Apollo Client',
  needs,
  run({ sdl, folder, settings }) {
    installPackages(
      [
        '@graphql-codegen/cli@7.4.3',
        '@graphql-codegen/client-preset@6.2.0',
        '@apollo/client@4.3.8',
        'rxjs@7.8.2',
        'graphql@16.15.0',
      ],
      folder,
    )
    writeFileSync(join(folder, 'program.ts'), apolloProgram)
    const config = {
      schema: sdl,
      documents: ['program.ts'],
      generates: { './gql/': { preset: 'client', config: { useTypeImports: true } } },
      importExtension: '.ts',
    }
    writeFileSync(join(folder, 'codegen.json'), JSON.stringify(config))
    run(['npx', 'graphql-codegen', '--config', 'codegen.json'], folder)
    return runTypescript(apolloProgram, { folder, settings })
  },
}

const tadaWithUrql: Client = {
  name: 'gql.tada with urql over GET',
  needs,
  run({ sdl, folder, settings }) {
    installPackages(
      ['gql.tada@1.11.3', '@urql/core@6.0.3', 'graphql@16.15.0', 'typescript@6.0.3'],
      folder,
    )
    const plugin = {
      name: 'gql.tada/ts-plugin',
      schema: sdl,
      tadaOutputLocation: './graphql-env.d.ts',
    }
    writeFileSync(join(folder, 'program.ts'), urqlProgram)
    writeCompilerOptions(folder, { plugins: [plugin] })
    run(['npx', 'gql.tada', 'generate', 'output'], folder)
    return runTypescript(urqlProgram, { folder, settings })
  },
}

export const graphqlClients: readonly Client[] = [codegenWithApollo, tadaWithUrql]
