import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Command, run } from './command.ts'

/** A generator of clients, which is not a dependency of this project. */
export interface Generator {
  name: string
  /** The program without which the generator cannot run. */
  needs: Command
  /** Generates and compiles a client, and a program that uses its type `Vm`. */
  check: (document: string, folder: string) => void
}

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')

const typescriptProgram = `
import type { components, operations } from './api.ts'

type Vm = components['schemas']['Vm']
type Body = operations['createVm']['requestBody']['content']['application/json']

export const addressOf = (vm: Vm): string | undefined => vm.nics?.[0]?.ip
export const body: Body = { name: 'db-1', cpu: 2 }
// @ts-expect-error Done is not a state
export const isDone = (vm: Vm): boolean => vm.state === 'Done'
`

const goProgram = `package main

import "client/berth"

func main() {
	vm := berth.Vm{Name: "db-1"}
	list := berth.VmList{Vms: []berth.Vm{vm}}
	body := berth.CreateVmJSONRequestBody{Name: list.Vms[0].Name}
	_ = body
	_, _ = berth.NewClient("http://localhost:8080")
}
`

const pythonProgram = `
from berth.api.v_ms import create_vm, list_vms
from berth.models import CreateVm, Vm, VmList

assert create_vm.sync and list_vms.sync
assert CreateVm(name="db-1").to_dict()["name"] == "db-1"
assert Vm.__name__ == "Vm" and VmList.__name__ == "VmList"
`

export const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    needs: ['npx', '--version'],
    check: (document, folder) => {
      // Otherwise a request must contain the fields that have a default.
      const defaults = '--default-non-nullable=false'
      run(['npx', '--yes', 'openapi-typescript@7.13.0', document, '-o', 'api.ts', defaults], folder)
      writeFileSync(join(folder, 'program.ts'), typescriptProgram)
      const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'esnext']
      const more = ['--allowImportingTsExtensions', '--ignoreConfig', 'program.ts']
      run([process.execPath, tsc, ...options, ...more], folder)
    },
  },
  {
    name: 'oapi-codegen',
    needs: ['go', 'version'],
    check: (document, folder) => {
      writeFileSync(join(folder, 'main.go'), goProgram)
      const generate = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
      run(['go', 'mod', 'init', 'client'], folder)
      run(['mkdir', 'berth'], folder)
      const options = ['-generate', 'types,client', '-package', 'berth', '-o', 'berth/client.go']
      run(['go', 'run', generate, ...options, document], folder)
      run(['go', 'mod', 'tidy'], folder)
      run(['go', 'vet', './...'], folder)
    },
  },
  {
    name: 'openapi-python-client',
    needs: ['python3', '--version'],
    check: (document, folder) => {
      run(['python3', '-m', 'venv', 'tools'], folder)
      const python = join(folder, 'tools', 'bin', 'python')
      run([python, '-m', 'pip', 'install', '--quiet', 'openapi-python-client==0.29.1'], folder)
      const generate = join(folder, 'tools', 'bin', 'openapi-python-client')
      // The hooks format the client, which needs another program.
      writeFileSync(join(folder, 'config.yaml'), 'post_hooks: []\n')
      const options = ['--meta', 'none', '--output-path', 'berth', '--config', 'config.yaml']
      run([generate, 'generate', '--path', document, ...options, '--fail-on-warning'], folder)
      run([python, '-m', 'compileall', '-q', 'berth'], folder)
      run([python, '-c', pythonProgram], folder)
    },
  },
]
