import '../ui/theme.css'
import { provideClient } from '@urql/vue'
import { createApp, h } from 'vue'
import { behindFrame, isFirstFrameDrawn } from '../ui/first-frame.ts'
import { speak } from '../words/language.ts'
import App from './App.vue'
import { Console, consoleKey } from '../session/console.ts'
import { createConsoleRouter } from './router.ts'

const berth = new Console()
const router = createConsoleRouter(berth)

const app = createApp({
  setup() {
    provideClient(berth.client)
    return () => h(App)
  },
})
  .provide(consoleKey, berth)
  .use(router)

// Nothing is shown in one language and then in another, and the frame of the page stays until it is
// known what goes into it.
void Promise.all([speak(), router.isReady()]).then(() => {
  app.mount('#app')
  behindFrame(() => (isFirstFrameDrawn.value = true))
})
