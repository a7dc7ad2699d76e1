import { isDatabaseUrl } from './schema.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const known = [
  'BERTH_CONFIG',
  'BERTH_DATABASE_URL',
  'BERTH_DATA_DIR',
  'BERTH_OIDC_CLIENT_SECRET',
  'BERTH_PORT',
  'BERTH_ROOT_PASSWORD',
  'BERTH_SECRET',
]

/** Values are never repeated: most of these are secrets. */
export function environmentProblems(env: Environment): string[] {
  const port = env['BERTH_PORT'] ? 'BERTH_PORT' : 'PORT'
  const checks: Readonly<Record<string, [(value: string) => boolean, string]>> = {
    [port]: [
      (value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535,
      'must be a port number from 0 to 65535',
    ],
    BERTH_DATABASE_URL: [isDatabaseUrl, 'must be a postgresql:// URL'],
    BERTH_SECRET: [(value) => value.length >= 32, 'must have at least 32 characters'],
    BERTH_ROOT_PASSWORD: [(value) => value.length >= 12, 'must have at least 12 characters'],
  }
  return Object.entries(checks).flatMap(([name, [isGood, must]]) => {
    const value = env[name]
    return value && !isGood(value) ? [`${name} ${must}`] : []
  })
}

/** A misspelt variable would be a secret that is silently not used. */
export const unknownVariables = (env: Environment): string[] =>
  Object.keys(env).filter((name) => name.startsWith('BERTH_') && !known.includes(name))
