import * as v from 'valibot'
import { databaseUrl, portInText, secretOfAtLeast, text } from './values.ts'
import { Secret } from './secret.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Declares a variable and the key that it replaces. A secret has a key only so that a file with
 * that key is refused.
 */
const variable = <S extends v.GenericSchema>(description: string, key: string, schema: S) =>
  v.optional(v.pipe(schema, v.description(description), v.metadata({ key })))

export const environmentSchema = v.object({
  BERTH_CONFIG: variable('The configuration file.', '', text),
  BERTH_ROOT_PASSWORD: variable(
    'The first password of `root`.',
    'security.rootPassword',
    secretOfAtLeast(12),
  ),
  BERTH_SECRET: variable(
    'Signs tokens. When it is not set, it is created once and stored in the data folder.',
    'security.secret',
    secretOfAtLeast(32),
  ),
  BERTH_OIDC_CLIENT_SECRET: variable(
    'The client secret of Berth at the identity provider.',
    'security.oidc.clientSecret',
    v.pipe(
      text,
      v.transform((value) => new Secret(value)),
    ),
  ),
  BERTH_METRICS_TOKEN: variable(
    'The token that `/metrics` needs. When it is not set, workers need none, and the API serves no metrics unless only this machine reaches it.',
    'security.metricsToken',
    secretOfAtLeast(16),
  ),
  BERTH_DATABASE_URL: variable('Replaces `database.url`.', 'database.url', databaseUrl),
  BERTH_DATA_DIR: variable('Replaces `data.dir`.', 'data.dir', text),
  BERTH_PORT: variable('Replaces `server.port`.', 'server.port', portInText),
  PORT: variable('Replaces `server.port` when `BERTH_PORT` is not set.', 'server.port', portInText),
})

export type Variables = v.InferOutput<typeof environmentSchema>

/**
 * Parses the environment. An empty variable counts as not set, and `PORT` counts only without
 * `BERTH_PORT`.
 */
export function parseEnvironment(env: Environment) {
  const present = Object.entries(env).filter(([name, value]) => value && isRead(name, env))
  return v.safeParse(environmentSchema, Object.fromEntries(present))
}

const isRead = (name: string, env: Environment): boolean => name !== 'PORT' || !env['BERTH_PORT']

/** Returns the variable for a secret, by the key that a file may not have. */
export const variableOf = (path: string): string | null =>
  Object.entries(environmentSchema.entries).find(
    ([, schema]) => v.getMetadata(schema.wrapped)['key'] === path,
  )?.[0] ?? null

/** Returns unknown variables, because a misspelt one would be a secret that is silently ignored. */
export const unknownVariables = (env: Environment): string[] =>
  Object.keys(env).filter(
    (name) => name.startsWith('BERTH_') && !(name in environmentSchema.entries),
  )
