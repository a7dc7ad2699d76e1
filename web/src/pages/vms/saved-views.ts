import { useEventListener } from '@vueuse/core'
import { type ComputedRef, computed, shallowRef } from 'vue'
import { useRoute } from 'vue-router'
import { useConsole } from '../../session/console.ts'
import { afterFirstFrame } from '../../ui/first-frame.ts'

/** A name for what the address of the list says: filters and order. */
export interface SavedView {
  name: string
  query: Readonly<Record<string, string>>
}

const saved = ['search', 'state', 'sort'] as const
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

/** What was kept, as far as it can be understood: others may write there as well. */
export function viewsFromText(text: string | null): SavedView[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(kept) ? kept.filter(isView) : []
  } catch {
    return []
  }
}

/** In the order of their names; one of the same name gives way. */
export const withView = (views: readonly SavedView[], view: SavedView): SavedView[] =>
  [...views.filter(({ name }) => name !== view.name), view].toSorted((one, other) =>
    one.name.localeCompare(other.name),
  )

const sameQuery = (one: SavedView['query'], other: SavedView['query']): boolean =>
  saved.every((key) => one[key] === other[key])

/**
 * The views that this user has named in this tenant. The server keeps no wishes of users, so this
 * browser does.
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
      saved.flatMap((name) =>
        typeof route.query[name] === 'string' ? [[name, route.query[name]]] : [],
      ),
    ),
  )
  const keep = (next: SavedView[]) => {
    views.value = next
    localStorage.setItem(key, JSON.stringify(next))
  }
  return {
    views,
    isPlain: computed(() => Object.keys(query.value).length === 0),
    current: computed(() => views.value.find((view) => sameQuery(view.query, query.value)) ?? null),
    save: (name: string) => keep(withView(views.value, { name, query: query.value })),
    drop: (name: string) => keep(views.value.filter((view) => view.name !== name)),
  }
}
