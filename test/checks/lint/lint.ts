import { ESLint, type Linter } from 'eslint'
import type { Finding } from '../finding.ts'
import { typedFindings } from './typed.ts'

const config = new URL('./eslint.config.js', import.meta.url).pathname

/** What ESLint and the typed rules find in the folders or files. */
export async function lintFindings(root: string, paths: readonly string[]): Promise<Finding[]> {
  return (await Promise.all([typedFindings(root, paths), plainFindings(root, paths)])).flat()
}

/**
 * What ESLint finds, as findings. Without its cache, which does not know our own rules: a check
 * that is right only on a clean machine is worse than one of twenty seconds.
 */
async function plainFindings(root: string, paths: readonly string[]): Promise<Finding[]> {
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
