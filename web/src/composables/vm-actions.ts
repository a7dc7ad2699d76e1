import { type ShallowRef, computed, shallowRef } from 'vue'
import { type VmDeed, deleteVm, powerVerbNames, powerVerbs } from '../api/vm/vm-verbs.ts'
import { useAction } from './action.ts'
import { t } from '../words/t.ts'
import { useTelling } from './telling.ts'

interface NamedVm {
  id: string
  name: string
}

/** What cannot be taken back is asked about once more (VmDeedDialog.vue). */
const confirmed: readonly VmDeed[] = ['forceStop', 'delete']

export function useVmDeed(deed: VmDeed) {
  const document = deed === 'delete' ? deleteVm : powerVerbs[deed].document
  return useAction(document, { touches: ['vm', 'operation'] })
}

/** What people do with a machine, from wherever they see it. */
export function useVmDeeds() {
  const tell = useTelling()
  // Object.fromEntries gives strings; the keys are all deeds.
  const deeds = Object.fromEntries(
    [...powerVerbNames, 'delete' as const].map((deed) => [deed, useVmDeed(deed)]),
  ) as Record<VmDeed, ReturnType<typeof useVmDeed>>
  const asked: ShallowRef<{ vm: NamedVm; deed: VmDeed } | null> = shallowRef(null)
  const latest: ShallowRef<VmDeed | null> = shallowRef(null)

  async function run(vm: NamedVm, deed: VmDeed) {
    latest.value = deed
    const answer = await deeds[deed].run({ id: vm.id })
    if (!answer) return
    asked.value = null
    const announcement =
      deed === 'delete' ? '{name} is being deleted.' : powerVerbs[deed].announcement
    tell(t(announcement, { name: vm.name }), answer.deed.operation)
  }

  return {
    asked,
    busy: computed(() => latest.value !== null && deeds[latest.value].busy.value),
    fault: computed(() => latest.value && deeds[latest.value].fault.value),
    ask(vm: NamedVm, deed: VmDeed) {
      deeds[deed].reset()
      latest.value = deed
      if (confirmed.includes(deed)) asked.value = { vm, deed }
      else void run(vm, deed)
    },
    confirm: () => asked.value && run(asked.value.vm, asked.value.deed),
    cancel: () => (asked.value = null),
  }
}
