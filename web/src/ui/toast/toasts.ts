import { type RouteLocationRaw } from 'vue-router'
import { reactive } from 'vue'
import { systemClock } from '../../runtime/clock.ts'

export interface Toast {
  id: number
  tone: 'good' | 'bad' | 'info'
  text: string
  link?: { label: string; to: RouteLocationRaw } | undefined
  /** Reverts the change. */
  undo?: (() => unknown) | undefined
}

const lastsMs = 6_000
let nextId = 1

export const toasts = reactive<Toast[]>([])

export function dropToast(id: number) {
  const at = toasts.findIndex((toast) => toast.id === id)
  if (at >= 0) toasts.splice(at, 1)
}

/** Reports the result of an action. Faults are shown in their form or page instead. */
export function toast(entry: Omit<Toast, 'id'>) {
  const id = nextId++
  toasts.push({ ...entry, id })
  systemClock.after(lastsMs, () => dropToast(id))
}
