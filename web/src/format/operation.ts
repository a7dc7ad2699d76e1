import { codeWords } from '../words/code-words.ts'
import { kindWords } from './kind.ts'

/** `delete_tenant` on `acme` reads `Delete tenant`; the target's name stands beside it. */
export function operationTitle(kind: string): string {
  const words = kindWords(kind)
  return codeWords(`operation.${kind}`, words.charAt(0).toUpperCase() + words.slice(1))
}

interface Step {
  name: string
  title: string
}

interface Progress {
  state: string
  progress: number | null
  steps: readonly { state: string }[]
}

/**
 * 0 to 100, or null while nothing can be said: the server's own figure first, else the share of
 * steps that are over.
 */
export function operationProgress({ state, progress, steps }: Progress): number | null {
  if (state === 'succeeded') return 100
  if (progress !== null) return progress
  if (steps.length < 2) return null
  const over = steps.filter((step) => step.state === 'done' || step.state === 'skipped').length
  return Math.round((over / steps.length) * 100)
}

/** The step that is being worked on, or the one that stopped it. */
export function currentStep({
  steps,
}: {
  steps: readonly (Step & { state: string })[]
}): string | null {
  const step = steps.find(({ state }) => state === 'running' || state === 'failed')
  return step ? step.title : null
}
