import { type Command } from './command.ts'

/** The contract from which a client is generated, and the installation for its program. */
export interface ClientContext {
  /** The files of `schema/`. */
  openApi: string
  sdl: string
  /** An empty folder. */
  folder: string
  /** The URL and the token for the program, and the name for its VM, as environment variables. */
  settings: Readonly<Record<string, string>>
}

/** A generator of clients or a client library, which is not a dependency of this project. */
export interface Client {
  name: string
  /** The programs without which the client cannot run. */
  needs: readonly Command[]
  /**
   * Generates and compiles a client and a program. The program deploys a VM, waits for it, deploys
   * another one with the same name, and deletes the VM. Returns what it printed.
   */
  run: (context: ClientContext) => string
}

/** The result that each program prints. */
export const expectedResult = {
  deployed: 'Running',
  conflict: 'already_exists',
  deleted: 'not_found',
}
