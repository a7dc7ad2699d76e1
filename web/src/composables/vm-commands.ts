import { type ShallowRef, computed, shallowRef } from 'vue'
import { type VmCommand, deleteVmDocument, powerVerbNames, powerVerbs } from '../api/vm/vm-verbs.ts'
import { useAction } from './action.ts'
import { t } from '../i18n/t.ts'
import { useResultToast } from './result-toast.ts'

interface NamedVm {
  id: string
  name: string
}

/** Commands that cannot be undone need a confirmation (VmCommandDialog.vue). */
const needsConfirmation: readonly VmCommand[] = ['forceStop', 'delete']

/** Runs one command on a VM, such as start or delete. */
export function useVmCommand(command: VmCommand) {
  const document = command === 'delete' ? deleteVmDocument : powerVerbs[command].document
  return useAction(document, { invalidates: ['vm', 'operation'] })
}

/** Runs commands on VMs for every page that lists or shows them. */
export function useVmCommands() {
  const announce = useResultToast()
  // Object.fromEntries returns strings; the keys are all commands.
  const actions = Object.fromEntries(
    [...powerVerbNames, 'delete' as const].map((command) => [command, useVmCommand(command)]),
  ) as Record<VmCommand, ReturnType<typeof useVmCommand>>
  const pending: ShallowRef<{ vm: NamedVm; command: VmCommand } | null> = shallowRef(null)
  const latest: ShallowRef<VmCommand | null> = shallowRef(null)

  async function run(vm: NamedVm, command: VmCommand) {
    latest.value = command
    const answer = await actions[command].run({ id: vm.id })
    if (!answer) return
    pending.value = null
    const announcement =
      command === 'delete' ? '{name} is being deleted.' : powerVerbs[command].announcement
    announce(t(announcement, { name: vm.name }), answer.payload.operation)
  }

  return {
    pending,
    busy: computed(() => latest.value !== null && actions[latest.value].busy.value),
    fault: computed(() => latest.value && actions[latest.value].fault.value),
    request(vm: NamedVm, command: VmCommand) {
      actions[command].reset()
      latest.value = command
      if (needsConfirmation.includes(command)) pending.value = { vm, command }
      else void run(vm, command)
    },
    confirm: () => pending.value && run(pending.value.vm, pending.value.command),
    cancel: () => (pending.value = null),
  }
}
