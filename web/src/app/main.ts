import '../ui/theme.css'
import { provideClient } from '@urql/vue'
import { createApp, h } from 'vue'
import App from './App.vue'
import { Console, consoleKey } from './console.ts'
import { createConsoleRouter } from './router.ts'

const berth = new Console()
const router = createConsoleRouter(berth)

createApp({
  setup() {
    provideClient(berth.client)
    return () => h(App)
  },
})
  .provide(consoleKey, berth)
  .use(router)
  .mount('#app')
