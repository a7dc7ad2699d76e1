import {
  type AsyncComponentLoader,
  type Component,
  defineAsyncComponent,
  defineComponent,
  h,
} from 'vue'
import { fetchSoon } from '../ui/fetch-soon.ts'
import { toast } from '../ui/toasts.ts'
import AsyncDialogWait from './AsyncDialogWait.vue'
import { t } from '../words/t.ts'

/**
 * A dialog whose code the page does not wait for: it comes when somebody begins to use the page.
 * Whoever is faster is told to wait; where the code cannot be had the dialog closes again and says
 * so, and the next press asks for it anew.
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
    toast({
      tone: 'bad',
      text: t('This part of the console could not be loaded. Check the connection and try again.'),
    })
    emit('close')
    return () => null
  },
})
