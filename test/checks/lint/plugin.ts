import type { ESLint, Rule } from 'eslint'
import { bans, type Ban } from './banned.ts'
import { explainCast } from './explain-cast.ts'
import { noExportBundles } from './export-bundles.ts'
import { namedExports } from './named-exports.ts'
import { noPackedLiterals } from './packed-literals.ts'
import { plainNames } from './plain-names.ts'
import { saidWords } from './said-words.ts'

/**
 * The rules that are ours: one per banned call, five about shape, and one about what people read.
 */
export const berth: ESLint.Plugin = {
  meta: { name: 'berth' },
  rules: {
    ...Object.fromEntries(bans.map((ban) => [ban.name, banned(ban)])),
    'explain-cast': explainCast,
    'named-exports': namedExports,
    'no-export-bundles': noExportBundles,
    'no-packed-literals': noPackedLiterals,
    'plain-names': plainNames,
    'said-words': saidWords,
  },
}

function banned(ban: Ban): Rule.RuleModule {
  return {
    meta: { type: 'problem', schema: [] },
    create: (context) =>
      Object.fromEntries(
        ban.match.map((selector) => [
          selector,
          (node: Rule.Node) => context.report({ node, message: ban.because }),
        ]),
      ),
  }
}
