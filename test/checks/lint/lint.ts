import { ESLint, type Linter } from 'eslint'
import type { Finding } from '../finding.ts'
import { typedFindings } from './typed.ts'

const config = new URL('./eslint.config.js', import.meta.url).pathname

/** Returns the findings of ESLint and of the typed rules in the folders or files. */
export async function lintFindings(root: string, paths: readonly string[]): Promise<Finding[]> {
  return (await Promise.all([typedFindings(root, paths), plainFindings(root, paths)])).flat()
}

/**
 * Returns the findings of ESLint. It runs without its cache, because the cache ignores changes of
 * the local rules. A check that is right only on a clean machine is worse than one that takes
 * twenty seconds.
 */
export async function plainFindings(root: string, paths: readonly string[]): Promise<Finding[]> {
  const eslint = new ESLint({
    cwd: root,
    overrideConfigFile: config,
    errorOnUnmatchedPattern: false,
  })
  const results = await eslint.lintFiles([...paths])
  return results.flatMap((result) =>
    result.messages.map((message) => findingFrom(result.filePath.slice(root.length + 1), message)),
  )
}

function findingFrom(file: string, { ruleId, message, line }: Linter.LintMessage): Finding {
  const rule = ruleId ?? (message.includes('noInlineConfig') ? 'no inline exceptions' : 'parse')
  return { file, rule, message, line }
}
