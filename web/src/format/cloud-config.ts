import { t } from '../i18n/t.ts'

export interface ConfigProblem {
  /** Counted from 1; null when the whole text is the problem. */
  line: number | null
  message: string
}

const mostBytes = 16 * 1024

/**
 * Finds obvious mistakes in a cloud-init text while it is typed. It has no YAML parser; the server
 * has one and decides. `adds` means that keys or a password will be added, which only a
 * #cloud-config supports.
 */
export function configProblem(text: string, { adds }: { adds: boolean }): ConfigProblem | null {
  if (text.trim() === '') return null
  const tooLong = new TextEncoder().encode(text).length > mostBytes
  if (tooLong) return { line: null, message: t('It is longer than 16 KiB') }
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.trim() !== '')
  if (!/^#cloud-config\s*$/.test(lines[start] ?? '')) {
    // A script is valid, but keys and passwords cannot be added to it.
    if (/^#!/.test(lines[start] ?? '') && !adds) return null
    return {
      line: start + 1,
      message: adds
        ? t('It must begin with #cloud-config to take keys or a password')
        : t('It must begin with #cloud-config'),
    }
  }
  return problemInLines(lines, start + 1)
}

function problemInLines(lines: readonly string[], from: number): ConfigProblem | null {
  const keys = new Map<string, number>()
  for (const [index, line] of lines.entries()) {
    if (index < from) continue
    const message = problemIn(line, keys)
    if (message) return { line: index + 1, message }
    const key = topKey(line)
    if (key !== null) keys.set(key, index + 1)
  }
  return null
}

function problemIn(line: string, keys: ReadonlyMap<string, number>): string | null {
  if (/^\s*\t/.test(line)) return t('YAML is indented by spaces, not by tabs')
  const isTop = /^[^\s#-]/.test(line) && line !== '---' && line !== '...'
  if (!isTop) return null
  const key = topKey(line)
  if (key === null)
    return /^[^:]+:\S/.test(line)
      ? t('A space is missing after the colon')
      : t('A setting is written as “name: value”')
  const before = keys.get(key)
  return before === undefined ? null : t('“{key}” is set in line {before} already', { key, before })
}

function topKey(line: string): string | null {
  return /^["']?([\w.-]+)["']?\s*:(\s|$)/.exec(line)?.[1] ?? null
}
