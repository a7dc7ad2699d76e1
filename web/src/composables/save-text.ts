import { systemClock } from '../runtime/clock.ts'

/** Downloads a text as a file. */
export function saveText(fileName: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Browsers read the URL only after the click has been handled.
  systemClock.after(10_000, () => URL.revokeObjectURL(url))
}
