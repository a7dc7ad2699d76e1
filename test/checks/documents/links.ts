import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { filesOf } from '../files.ts'
import type { Finding } from '../finding.ts'

/** Reports every relative link of a Markdown file to a missing file or folder. */
export function linkFindings(root: string): Finding[] {
  return filesOf(root)
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => brokenLinks(root, file))
}

function brokenLinks(root: string, file: string): Finding[] {
  return linksOf(readFileSync(join(root, file), 'utf8'))
    .filter(({ target }) => !existsSync(join(root, dirname(file), target)))
    .map(({ line, target }) => ({
      file,
      line,
      rule: 'links resolve',
      message: `links to ${target}, which does not exist`,
    }))
}

interface Link {
  readonly line: number
  readonly target: string
}

const absolute = /^([a-z][a-z0-9+.-]*:|\/)/i

/** Returns relative targets without their anchor. Code blocks and code spans have no links. */
function linksOf(text: string): Link[] {
  let inCodeBlock = false
  return text.split('\n').flatMap((content, index) => {
    if (content.trimStart().startsWith('```')) inCodeBlock = !inCodeBlock
    if (inCodeBlock) return []
    const prose = content.replaceAll(/`[^`]*`/g, '')
    return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target.replace(/#.*$/, ''))
      .filter((target) => target !== '' && !absolute.test(target))
      .map((target) => ({ line: index + 1, target: decodeURIComponent(target) }))
  })
}
