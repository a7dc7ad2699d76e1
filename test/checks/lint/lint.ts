import { join } from 'node:path'
import { ESLint, type Linter } from 'eslint'
import type { Finding } from '../finding.ts'

const config = new URL('./eslint.config.js', import.meta.url).pathname

/** What ESLint finds in the folders, as findings; the cache makes a second run look at changed files only. */
export async function lintFindings(root: string, folders: readonly string[]): Promise<Finding[]> {
  const eslint = new ESLint({
    cwd: root,
    overrideConfigFile: config,
    errorOnUnmatchedPattern: false,
    cache: true,
    cacheStrategy: 'content',
    cacheLocation: join(root, 'node_modules/.cache/eslint/'),
  })
  const results = await eslint.lintFiles([...folders])
  return results.flatMap((result) => result.messages.map((message) => findingFrom(result.filePath.slice(root.length + 1), message)))
}

function findingFrom(file: string, { ruleId, message, line }: Linter.LintMessage): Finding {
  const rule = ruleId ?? (message.includes('noInlineConfig') ? 'no inline exceptions' : 'parse')
  return { file, rule, message, line }
}
