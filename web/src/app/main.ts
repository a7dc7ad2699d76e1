import '../ui/theme.css'
import { provideClient } from '@urql/vue'
import { createApp, h } from 'vue'
import { afterPaint, isFirstFrameDrawn } from '../ui/first-frame.ts'
import { applyLanguage } from '../i18n/language.ts'
import App from './App.vue'
import { Console, consoleKey } from '../session/console.ts'
import { createConsoleRouter } from './router.ts'

// The entry of the console: creates its services and its router, and mounts the app.

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

// The app mounts only when its language and its first page are known. Until then the page's frame
// stays, and no text changes its language on screen.
void Promise.all([applyLanguage(), router.isReady()]).then(() => {
  app.mount('#app')
  afterPaint(() => (isFirstFrameDrawn.value = true))
})
