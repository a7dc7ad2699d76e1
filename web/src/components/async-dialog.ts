import { type AsyncComponentLoader, type Component, defineAsyncComponent, defineComponent, h } from 'vue'
import { systemClock } from '../composables/clock.ts'
import { toast } from '../ui/toasts.ts'
import AsyncDialogWait from './AsyncDialogWait.vue'
import { t } from '../words/t.ts'

/**
 * A dialog whose code the page does not wait for: it comes when somebody begins to use the page, so that it is there before it is opened, also when
 * Berth cannot be reached by then. Whoever is faster is told to wait; where the code cannot be had the dialog closes again and says so, and the next press
 * asks for it anew.
 */
export function asyncDialog<Dialog extends Component>(load: AsyncComponentLoader<Dialog>) {
  fetchSoon(load)
  return defineAsyncComponent({
    loader: load,
    loadingComponent: () => h(AsyncDialogWait),
    errorComponent: Unavailable,
    delay: 150,
  })
}

/** In the dialog's place, with its listeners: so it can take itself away. */
const Unavailable = defineComponent({
  emits: ['close'],
  setup(_, { emit }) {
    toast({ tone: 'bad', text: t('This part of the console could not be loaded. Check the connection and try again.') })
    emit('close')
    return () => null
  },
})

const behindMs = 300
const wanted: (() => Promise<unknown>)[] = []
let isUsed = false

function fetchSoon(load: () => Promise<unknown>) {
  if (isUsed) fetchBehind([load])
  else wanted.push(load)
}

/** After what the user has just asked for. What does not come is asked for again when it is opened. */
function fetchBehind(loads: readonly (() => Promise<unknown>)[]) {
  systemClock.after(behindMs, () => loads.forEach((load) => void load().catch(() => null)))
}

function begin() {
  if (isUsed) return
  isUsed = true
  fetchBehind(wanted.splice(0))
}
for (const event of ['pointermove', 'pointerdown', 'keydown']) addEventListener(event, begin, { once: true, passive: true })
