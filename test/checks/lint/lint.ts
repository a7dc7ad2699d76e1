import { ESLint, type Linter } from 'eslint'
import type { Finding } from '../finding.ts'

const config = new URL('./eslint.config.js', import.meta.url).pathname

/**
 * What ESLint finds in the folders, as findings. Without its cache: that knows neither our own
 * rules nor the types of other files, and a check that is right only on a clean machine is worse
 * than one of twenty seconds.
 */
export async function lintFindings(root: string, folders: readonly string[]): Promise<Finding[]> {
  const eslint = new ESLint({
    cwd: root,
    overrideConfigFile: config,
    errorOnUnmatchedPattern: false,
  })
  const results = await eslint.lintFiles([...folders])
  return results.flatMap((result) =>
    result.messages.map((message) => findingFrom(result.filePath.slice(root.length + 1), message)),
  )
}

function findingFrom(file: string, { ruleId, message, line }: Linter.LintMessage): Finding {
  const rule = ruleId ?? (message.includes('noInlineConfig') ? 'no inline exceptions' : 'parse')
  return { file, rule, message, line }
}
