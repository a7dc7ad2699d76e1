import { systemClock } from '../runtime/clock.ts'

/** Downloads a text as a file. */
export const saveText = (fileName: string, text: string) =>
  saveFile(fileName, new Blob([text], { type: 'text/plain' }))

export function saveFile(fileName: string, content: Blob) {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Browsers read the URL only after the click has been handled.
  systemClock.after(10_000, () => URL.revokeObjectURL(url))
}
