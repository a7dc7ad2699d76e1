import { ref, watch } from 'vue'
import { savePageSetting, pageSetting } from '../runtime/page-cookie.ts'

export type Theme = 'system' | 'light' | 'dark'

const theme = ref<Theme>(stored())

watch(theme, (chosen) => {
  const root = document.documentElement
  if (chosen === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = chosen
  savePageSetting('theme', chosen === 'system' ? null : chosen)
})

/** Returns the colour theme that the user has chosen. Setting it changes the page and is stored. */
export function useTheme() {
  return { theme }
}

function stored(): Theme {
  const chosen = pageSetting('theme')
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}
