import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Stores passwords as argon2id with the minimum strength that OWASP recommends: about 15 ms and 19
 * MiB each. A flood of logins could exhaust the host, so few hashes are computed at once. Some
 * requests wait, and the rest is refused.
 */
export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes the same time with and without a hash to compare with. */
  verify(password: string, phc: string | null): Promise<boolean>
  /**
   * Tells for each hash if the password matches it. The time depends on the number of entries, and
   * not on which of them are null.
   */
  verifyEach(password: string, phcs: readonly (string | null)[]): Promise<boolean[]>
}

/** Too many passwords are waiting to be checked. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy'
  readonly retryAfterSeconds = 1
}

const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const
const saltBytes = 16
const tagBytes = 32

export function createPasswords({ atOnce = 4, waiting = 50 } = {}): Passwords {
  const gate = new Gate(atOnce, waiting)
  // This hash matches no password. It replaces a missing hash, so that an unknown user costs the
  // same time as a known one.
  const decoy = phcOf(randomBytes(saltBytes), randomBytes(tagBytes), cost)
  const isOf = async (password: string, phc: string | null): Promise<boolean> =>
    (await matches(password, phc ?? decoy)) && phc !== null
  return {
    hash: (password) =>
      gate.pass(async () => {
        const salt = randomBytes(saltBytes)
        return phcOf(salt, await derive(password, salt, cost), cost)
      }),
    verify: (password, phc) => gate.pass(() => isOf(password, phc)),
    verifyEach: (password, phcs) =>
      gate.pass(async () => {
        const found: boolean[] = []
        for (const phc of phcs) found.push(await isOf(password, phc))
        return found
      }),
  }
}

class Gate {
  readonly #atOnce: number
  readonly #waiting: number
  readonly #queue: (() => void)[] = []
  #running = 0

  constructor(atOnce: number, waiting: number) {
    this.#atOnce = atOnce
    this.#waiting = waiting
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#atOnce) {
      this.#running += 1
      return
    }
    if (this.#queue.length >= this.#waiting)
      throw new PasswordsBusy('too many passwords wait to be checked')
    await new Promise<void>((resolve) => this.#queue.push(resolve))
  }

  /** The slot goes to the next in the queue, so that a later caller cannot take it. */
  #leave(): void {
    const next = this.#queue.shift()
    if (next) next()
    else this.#running -= 1
  }
}

interface Cost {
  memory: number
  passes: number
  parallelism: number
}

function derive(
  password: string,
  nonce: Buffer,
  { memory, passes, parallelism }: Cost,
): Promise<Buffer> {
  const parameters = {
    message: password.normalize('NFC'),
    nonce,
    memory,
    passes,
    parallelism,
    tagLength: tagBytes,
  }
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

async function matches(password: string, phc: string): Promise<boolean> {
  const { salt, tag, ...used } = parsePhc(phc)
  const derived = await derive(password, salt, used)
  return derived.length === tag.length && timingSafeEqual(derived, tag)
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

function phcOf(salt: Buffer, tag: Buffer, { memory, passes, parallelism }: Cost): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

const phcShape = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function parsePhc(phc: string): Cost & { salt: Buffer; tag: Buffer } {
  const [, memory, passes, parallelism, salt = '', tag = ''] = phcShape.exec(phc) ?? []
  if (memory === undefined) throw new TypeError('a stored password hash is not argon2id')
  const used = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  return { ...used, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}

/** The process has one instance: the limit protects the host. */
export const passwords = createPasswords()
