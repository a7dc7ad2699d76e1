import { useEventListener } from '@vueuse/core'
import { type ComputedRef, computed, shallowRef } from 'vue'
import { useRoute } from 'vue-router'
import { useConsole } from '../../session/console.ts'
import { afterFirstFrame } from '../../ui/first-frame.ts'

/** A named query string of the list: its filters and its order. */
export interface SavedView {
  name: string
  query: Readonly<Record<string, string>>
}

const savedParams = ['search', 'state', 'sort'] as const
export const mostViews = 30

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'query' in value &&
  isQuery(value.query)
const isQuery = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((each) => typeof each === 'string')

/** Parses the stored views and skips invalid ones, because other code may write to the storage. */
export function viewsFromText(text: string | null): SavedView[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.filter(isView) : []
  } catch {
    return []
  }
}

/** Adds the view, sorted by name. It replaces a view of the same name. */
export const withView = (views: readonly SavedView[], view: SavedView): SavedView[] =>
  [...views.filter(({ name }) => name !== view.name), view].toSorted((one, other) =>
    one.name.localeCompare(other.name),
  )

const sameQuery = (one: SavedView['query'], other: SavedView['query']): boolean =>
  savedParams.every((key) => one[key] === other[key])

/**
 * Returns the views that this user saved in this tenant. The browser stores them, because the
 * server stores no preferences of users.
 */
export function useSavedViews() {
  const berth = useConsole()
  const route = useRoute()
  const viewer = berth.viewer.value
  const key = `berth.vm-views.${viewer?.id ?? ''}.${viewer?.tenant?.id ?? ''}`
  const views = shallowRef<SavedView[]>([])
  afterFirstFrame(() => (views.value = viewsFromText(localStorage.getItem(key))))
  useEventListener(window, 'storage', (event) => {
    if (event.key === key) views.value = viewsFromText(event.newValue)
  })

  const query: ComputedRef<SavedView['query']> = computed(() =>
    Object.fromEntries(
      savedParams.flatMap((name) =>
        typeof route.query[name] === 'string' ? [[name, route.query[name]]] : [],
      ),
    ),
  )
  const store = (next: SavedView[]) => {
    views.value = next
    localStorage.setItem(key, JSON.stringify(next))
  }
  return {
    views,
    isPlain: computed(() => Object.keys(query.value).length === 0),
    current: computed(() => views.value.find((view) => sameQuery(view.query, query.value)) ?? null),
    save: (name: string) => store(withView(views.value, { name, query: query.value })),
    drop: (name: string) => store(views.value.filter((view) => view.name !== name)),
  }
}
