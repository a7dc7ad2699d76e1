import { codeLabel } from '../i18n/code-label.ts'
import { kindLabel } from './kind.ts'

/** Returns `Delete tenant` for `delete_tenant`. The name of the target is shown beside it. */
export function operationTitle(kind: string): string {
  const label = kindLabel(kind)
  return codeLabel(`operation.${kind}`, label.charAt(0).toUpperCase() + label.slice(1))
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
 * Returns 0 to 100, or null when the progress is unknown. The server's own figure is preferred to
 * the share of finished steps.
 */
export function operationProgress({ state, progress, steps }: Progress): number | null {
  if (state === 'succeeded') return 100
  if (progress !== null) return progress
  if (steps.length < 2) return null
  const over = steps.filter((step) => step.state === 'done' || step.state === 'skipped').length
  return Math.round((over / steps.length) * 100)
}

/** Returns the title of the running step, or of the failed one. */
export function currentStep({
  steps,
}: {
  steps: readonly (Step & { state: string })[]
}): string | null {
  const step = steps.find(({ state }) => state === 'running' || state === 'failed')
  return step ? step.title : null
}
