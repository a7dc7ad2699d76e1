import type { ESLint, Rule } from 'eslint'
import { bans, type Ban } from './banned.ts'
import { explainCast } from './explain-cast.ts'
import { fewExports } from './few-exports.ts'
import { plainNames } from './plain-names.ts'

/** The rules that are ours: one per banned call, and three about shape. */
export const berth: ESLint.Plugin = {
  meta: { name: 'berth' },
  rules: {
    ...Object.fromEntries(bans.map((ban) => [ban.name, banned(ban)])),
    'explain-cast': explainCast,
    'few-exports': fewExports,
    'plain-names': plainNames,
  },
}

function banned(ban: Ban): Rule.RuleModule {
  return {
    meta: { type: 'problem', schema: [] },
    create: (context) =>
      Object.fromEntries(ban.match.map((selector) => [selector, (node: Rule.Node) => context.report({ node, message: ban.because })])),
  }
}
