import { useRoute } from 'vue-router'
import { toast } from '../ui/toast/toasts.ts'
import { t } from '../i18n/t.ts'

/**
 * Reports the result of a mutation in a toast. It links to the operation when there is one;
 * otherwise it may offer an undo.
 */
export function useResultToast(): (
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
