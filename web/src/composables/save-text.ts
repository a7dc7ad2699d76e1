import { systemClock } from '../runtime/clock.ts'

/** Hands a text to the browser as a file to keep. */
export function saveText(fileName: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Browsers read the address only after the click has been handled.
  systemClock.after(10_000, () => URL.revokeObjectURL(url))
}
