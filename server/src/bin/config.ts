import { configWarnings, effectiveConfig } from '../runtime/config/print.ts'
import { ConfigError, loadConfig } from '../runtime/config/config.ts'
import { unknownVariables } from '../runtime/config/environment.ts'
import { configReference } from '../runtime/config/reference.ts'

/**
 * `berth config check` prints the effective configuration and warns about settings that are
 * probably mistakes. The exit code is 1 when the configuration cannot be used.
 */
function check(): void {
  const config = loadConfig({ cwd: process.cwd(), env: process.env })
  process.stdout.write(effectiveConfig(config))
  const unknown = unknownVariables(process.env).map(
    (name) => `${name} is not a variable that Berth knows`,
  )
  for (const sentence of [...configWarnings(config), ...unknown])
    process.stderr.write(`Warning: ${sentence}.\n`)
}

if (process.argv[2] === 'reference') process.stdout.write(configReference())
else if (process.argv[2] === 'check') {
  try {
    check()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
} else {
  process.stderr.write('Usage: berth config check | reference\n')
  process.exitCode = 2
}
