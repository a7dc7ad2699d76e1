import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import * as v from 'valibot'
import { LineCounter, parseDocument } from 'yaml'
import { errnoOf } from '../errno.ts'
import { type Environment, type Variables, parseEnvironment } from './environment.ts'
import { problemFromIssue } from './problems.ts'
import { problemsBetweenKeys } from './rules.ts'
import { type ClusterKind, type FileKeys, clusterKinds, fileSchemaFor } from './schema.ts'
import { type Secret } from './secret.ts'

/** The keys of the file with their defaults, the environment variables, and absolute paths. */
export interface Config extends Omit<FileKeys, 'server' | 'security' | 'data'> {
  /** The file that was read. Null when there is none and all values are defaults. */
  file: string | null
  server: Omit<FileKeys['server'], 'publicUrl' | 'tls'> & {
    publicUrl: string
    tls: { cert: string; key: string } | null
  }
  security: Omit<FileKeys['security'], 'oidc'> & {
    oidc: OidcConfig | null
    /**
     * The signing secret. Null means that one is created on the first start and stored in the data
     * folder (signing-secret.ts).
     */
    secret: Secret | null
    rootPassword: Secret | null
    /** The token for `/metrics`. Null means that none was set. */
    metricsToken: Secret | null
  }
  data: { dir: string }
}

export type PublicNetworkConfig = Config['platform']['networking']['public']

export type OidcConfig = NonNullable<FileKeys['security']['oidc']> & { clientSecret: Secret | null }

/** The name of the bridge over `uplink` unless the operator configures one. */
export const usualPublicBridge = 'br-public'

/**
 * The configuration cannot be used. Each line of the message is one sentence with the file and the
 * key.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads berth.yaml and the environment variables. Throws a ConfigError that names every mistake.
 */
export function loadConfig({ cwd, env }: { cwd: string; env: Environment }): Config {
  const named = env['BERTH_CONFIG']
  const path = resolve(cwd, named || 'berth.yaml')
  const text = readText(path, Boolean(named))
  const keys = parseKeys(path, text === null ? {} : parseYaml(path, text))
  const variables = parseVariables(env)
  const base = text === null ? cwd : dirname(path)
  return { ...configFrom(keys, variables, { cwd, base }), file: text === null ? null : path }
}

function readText(path: string, mustExist: boolean): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = errnoOf(error)
    if (code === 'ENOENT' && !mustExist) return null
    throw new ConfigError(
      code === 'ENOENT'
        ? `${path} does not exist, but BERTH_CONFIG names it.`
        : `${path} cannot be read (${code}).`,
      {
        cause: error,
      },
    )
  }
}

function parseYaml(path: string, text: string): unknown {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  refuse(
    path,
    document.errors.map(
      (error) => `line ${lines.linePos(error.pos[0]).line} is not YAML: ${error.message}`,
    ),
  )
  return document.toJS() ?? {}
}

function parseKeys(path: string, written: unknown): FileKeys {
  const result = v.safeParse(fileSchemaFor(kindIn(written)), written)
  if (!result.success) throw refusal(path, result.issues.map(problemFromIssue))
  refuse(path, problemsBetweenKeys(result.output))
  return result.output
}

const kindSchema = v.object({ cluster: v.object({ kind: v.picklist(clusterKinds) }) })

/** Reads the kind first, because the defaults of other keys depend on it. */
function kindIn(written: unknown): ClusterKind {
  const found = v.safeParse(kindSchema, written)
  return found.success ? found.output.cluster.kind : 'sandbox'
}

function parseVariables(env: Environment): Variables {
  const result = parseEnvironment(env)
  if (result.success) return result.output
  // The message does not repeat values, because most of these are secrets.
  throw refusal(
    'environment',
    result.issues.map((issue) => `${v.getDotPath(issue) ?? ''} ${issue.message}`),
  )
}

function refuse(where: string, problems: readonly string[]): void {
  if (problems.length > 0) throw refusal(where, problems)
}

function refusal(where: string, problems: readonly string[]): ConfigError {
  const sentences = problems.map(
    (problem) => `${where}: ${problem.replace(/[?.]$/, '')}${problem.endsWith('?') ? '?' : '.'}`,
  )
  return new ConfigError(sentences.join('\n'))
}

interface Folders {
  cwd: string
  base: string
}

function configFrom(
  keys: FileKeys,
  variables: Variables,
  { cwd, base }: Folders,
): Omit<Config, 'file'> {
  const fromBase = (path: string | null) => path && resolve(base, path)
  return {
    ...keys,
    server: serverFrom(keys.server, variables, fromBase),
    database: { ...keys.database, url: variables.BERTH_DATABASE_URL ?? keys.database.url },
    cluster: { ...keys.cluster, kubeconfig: fromBase(keys.cluster.kubeconfig) },
    security: securityFrom(keys.security, variables),
    data: {
      dir: variables.BERTH_DATA_DIR
        ? resolve(cwd, variables.BERTH_DATA_DIR)
        : (fromBase(keys.data.dir) ?? resolve(cwd, '.berth')),
    },
  }
}

function serverFrom(
  keys: FileKeys['server'],
  variables: Variables,
  fromBase: (path: string | null) => string | null,
): Config['server'] {
  const port = variables.BERTH_PORT ?? variables.PORT ?? keys.port
  const [cert, key] = [fromBase(keys.tls.cert), fromBase(keys.tls.key)]
  const tls = cert && key ? { cert, key } : null
  const localUrl = `${tls ? 'https' : 'http'}://localhost:${port}`
  return { ...keys, port, tls, publicUrl: (keys.publicUrl ?? localUrl).replace(/\/+$/, '') }
}

function securityFrom(
  { oidc, ...keys }: FileKeys['security'],
  variables: Variables,
): Config['security'] {
  const clientSecret = variables.BERTH_OIDC_CLIENT_SECRET ?? null
  return {
    ...keys,
    oidc: oidc && { ...oidc, clientSecret },
    secret: variables.BERTH_SECRET ?? null,
    rootPassword: variables.BERTH_ROOT_PASSWORD ?? null,
    metricsToken: variables.BERTH_METRICS_TOKEN ?? null,
  }
}
