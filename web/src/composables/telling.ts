import { useRoute } from 'vue-router'
import { toast } from '../ui/toasts.ts'
import { t } from '../words/t.ts'

/**
 * Says what was just done, with the way to its operation where the cluster still works on it, or
 * back where nothing does.
 */
export function useTelling(): (
  text: string,
  operation: { id: string } | null,
  undo?: () => unknown,
) => void {
  const route = useRoute()
  return (text, operation, undo) => {
    if (!operation) return toast({ tone: 'good', text, undo })
    const to = { path: route.path, query: { ...route.query, operation: operation.id } }
    toast({ tone: 'info', text, link: { label: t('Watch'), to } })
  }
}
