import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client } from './client.ts'
import { installPackages, run } from './command.ts'
import { runTypescript } from './typescript-program.ts'
import { oapiCodegenProgram } from './programs/oapi-codegen.ts'
import { openapiGeneratorProgram } from './programs/openapi-generator.ts'
import { openapiPythonProgram } from './programs/openapi-python-client.ts'
import { openapiTypescriptProgram } from './programs/openapi-typescript.ts'

const openapiTypescript: Client = {
  name: 'openapi-typescript',
  needs: [['npm', '--version']],
  run({ openApi, folder, settings }) {
    installPackages(['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0'], folder)
    // Otherwise a request must contain the fields that have a default.
    const defaults = '--default-non-nullable=false'
    run(['npx', 'openapi-typescript', openApi, '-o', 'api.ts', defaults], folder)
    return runTypescript(openapiTypescriptProgram, { folder, settings })
  },
}

const oapiCodegen: Client = {
  name: 'oapi-codegen',
  needs: [['go', 'version']],
  run({ openApi, folder, settings }) {
    writeFileSync(join(folder, 'main.go'), oapiCodegenProgram)
    const generate = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
    mkdirSync(join(folder, 'berth'))
    run(['go', 'mod', 'init', 'client'], folder)
    const options = ['-generate', 'types,client', '-package', 'berth', '-o', 'berth/client.go']
    run(['go', 'run', generate, ...options, openApi], folder)
    run(['go', 'mod', 'tidy'], folder)
    run(['go', 'vet', './...'], folder)
    return run(['go', 'run', '.'], folder, settings)
  },
}

/** Installs a package of PyPI into a folder, and returns the path of one of its programs. */
function installPython(specification: string, program: string, folder: string): string {
  run(['python3', '-m', 'venv', 'tools'], folder)
  const bin = join(folder, 'tools', 'bin')
  run([join(bin, 'python'), '-m', 'pip', 'install', '--quiet', specification], folder)
  return join(bin, program)
}

const openapiPythonClient: Client = {
  name: 'openapi-python-client',
  needs: [['python3', '--version']],
  run({ openApi, folder, settings }) {
    const name = 'openapi-python-client'
    const generate = installPython(`${name}==0.29.1`, name, folder)
    // The hooks format the client, which needs another program.
    writeFileSync(join(folder, 'config.yaml'), 'post_hooks: []\n')
    const options = ['--meta', 'none', '--output-path', 'berth', '--config', 'config.yaml']
    run([generate, 'generate', '--path', openApi, ...options, '--fail-on-warning'], folder)
    const python = join(folder, 'tools', 'bin', 'python')
    run([python, '-m', 'compileall', '-q', 'berth'], folder)
    writeFileSync(join(folder, 'program.py'), openapiPythonProgram)
    return run([python, 'program.py'], folder, settings)
  },
}

const openapiGenerator: Client = {
  name: 'openapi-generator',
  needs: [
    ['python3', '--version'],
    ['java', '-version'],
  ],
  run({ openApi, folder, settings }) {
    // The package of PyPI contains the program, which is one of Java.
    const name = 'openapi-generator-cli'
    const generate = installPython(`${name}==7.26.0`, 'openapi-generator-cli', folder)
    const properties = 'importFileExtension=.ts,useSquareBracketsInArrayNames=false'
    const options = ['-g', 'typescript-fetch', '-o', 'berth', '--additional-properties', properties]
    run([generate, 'generate', '-i', openApi, ...options], folder)
    return runTypescript(openapiGeneratorProgram, { folder, settings })
  },
}

export const restClients: readonly Client[] = [
  openapiTypescript,
  oapiCodegen,
  openapiPythonClient,
  openapiGenerator,
]
