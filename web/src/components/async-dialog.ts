import {
  type AsyncComponentLoader,
  type Component,
  defineAsyncComponent,
  defineComponent,
  h,
} from 'vue'
import { prefetchOnUse } from '../ui/prefetch-on-use.ts'
import { toast } from '../ui/toast/toasts.ts'
import AsyncDialogWait from './AsyncDialogWait.vue'
import { t } from '../i18n/t.ts'

/**
 * Wraps a dialog whose code loads after the page, when the user begins to use it. A spinner shows
 * while it loads. When loading fails, a toast tells so, and opening the dialog again retries.
 */
export function asyncDialog<Dialog extends Component>(load: AsyncComponentLoader<Dialog>) {
  prefetchOnUse(load)
  return defineAsyncComponent({
    loader: load,
    loadingComponent: () => h(AsyncDialogWait),
    errorComponent: Unavailable,
    delay: 150,
  })
}

/** Mounted instead of the dialog, with the dialog's listeners, so that it can emit `close`. */
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
