import { operationDocuments } from '../../api/operations.ts'
import type { VmTemplateRow } from '../../api/vm/vm-templates.ts'
import { useConsole } from '../../session/console.ts'
import { useAction } from '../../composables/action.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { t } from '../../i18n/t.ts'

/** Cancels the import of a template by cancelling its operation. */
export function useImportCancel() {
  const berth = useConsole()
  const cancel = useAction(operationDocuments.cancel, { invalidates: ['operation', 'vm_template'] })

  async function run({ id, displayName }: VmTemplateRow) {
    const filter = {
      targetKind: 'vm_template',
      targetId: id,
      states: ['pending' as const, 'running' as const],
    }
    const found = await berth.client.value
      .query(operationDocuments.list, { first: 1, filter }, { requestPolicy: 'network-only' })
      .toPromise()
    const operation = found.data?.operations.nodes[0]
    if (!operation)
      return toast({
        tone: 'info',
        text: t('The import of {name} is over already.', { name: displayName }),
      })
    if (await cancel.run({ input: { id: operation.id } }))
      toast({
        tone: 'info',
        text: t('The import of {name} is being cancelled.', { name: displayName }),
      })
  }
  return { fault: cancel.fault, run }
}
