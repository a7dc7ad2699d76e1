import { type ShallowRef, computed, shallowRef } from 'vue'
import { type VmDeed, vmDeedDocuments } from '../api/vm/vm-actions.ts'
import { useAction } from './action.ts'
import type { Message } from '../words/spoken.ts'
import { t } from '../words/t.ts'
import { useTelling } from './telling.ts'

interface NamedVm {
  id: string
  name: string
}

const doing = {
  start: '{name} is starting.',
  stop: '{name} is shutting down.',
  forceStop: '{name} is being switched off.',
  restart: '{name} is restarting.',
  pause: '{name} is being paused.',
  resume: '{name} goes on.',
  delete: '{name} is being deleted.',
} as const satisfies Record<VmDeed, Message>
/** What cannot be taken back is asked about once more (VmDeedDialog.vue). */
const confirmed: readonly VmDeed[] = ['forceStop', 'delete']

export function useVmDeed(deed: VmDeed) {
  return useAction(vmDeedDocuments[deed], { touches: ['vm', 'operation'] })
}

/** What people do with a machine, from wherever they see it. */
export function useVmDeeds() {
  const tell = useTelling()
  const deeds: Record<VmDeed, ReturnType<typeof useVmDeed>> = {
    start: useVmDeed('start'),
    stop: useVmDeed('stop'),
    forceStop: useVmDeed('forceStop'),
    restart: useVmDeed('restart'),
    pause: useVmDeed('pause'),
    resume: useVmDeed('resume'),
    delete: useVmDeed('delete'),
  }
  const asked: ShallowRef<{ vm: NamedVm; deed: VmDeed } | null> = shallowRef(null)
  const latest: ShallowRef<VmDeed | null> = shallowRef(null)

  async function run(vm: NamedVm, deed: VmDeed) {
    latest.value = deed
    const answer = await deeds[deed].run({ id: vm.id })
    if (!answer) return
    asked.value = null
    tell(t(doing[deed], { name: vm.name }), answer.deed.operation)
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
