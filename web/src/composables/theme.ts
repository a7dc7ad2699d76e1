import { ref, watch } from 'vue'

export type Theme = 'system' | 'light' | 'dark'

const key = 'berth.theme'
const theme = ref<Theme>(stored())

watch(theme, (chosen) => {
  const root = document.documentElement
  if (chosen === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = chosen
  try {
    localStorage.setItem(key, chosen)
  } catch {
    // A browser that stores nothing still shows the theme until the page is left.
  }
})

export function useTheme() {
  return { theme }
}

function stored(): Theme {
  const chosen = document.documentElement.dataset['theme']
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}
