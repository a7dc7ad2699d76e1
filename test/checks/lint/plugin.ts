import type { ESLint, Rule } from 'eslint'
import { bans, type Ban } from './banned.ts'
import { explainCast } from './explain-cast.ts'
import { noExportBundles } from './export-bundles.ts'
import { namedExports } from './named-exports.ts'
import { noPackedLiterals } from './packed-literals.ts'
import { plainNames } from './plain-names.ts'
import { translatedTexts } from './translated-texts.ts'

/**
 * The local rules: one per banned call, four about shape, one about names, and one about translated
 * texts.
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
    'translated-texts': translatedTexts,
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
