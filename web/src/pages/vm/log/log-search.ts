import { type Ref, computed, ref, watch } from 'vue'

export interface Piece {
  text: string
  isHit: boolean
}

/**
 * A line as it reads, taken apart where the words stand in it; upper and lower case are the same.
 */
export function piecesOf(text: string, words: string): Piece[] {
  const [line, sought] = [text.toLowerCase(), words.toLowerCase()]
  // A few letters are longer in lower case, and then the places in both are not the same.
  if (!sought || line.length !== text.length)
    return [{ text, isHit: Boolean(sought) && line.includes(sought) }]
  const pieces: Piece[] = []
  let from = 0
  for (let at = line.indexOf(sought); at >= 0; at = line.indexOf(sought, from)) {
    if (at > from) pieces.push({ text: text.slice(from, at), isHit: false })
    from = at + sought.length
    pieces.push({ text: text.slice(at, from), isHit: true })
  }
  if (from < text.length || pieces.length === 0)
    pieces.push({ text: text.slice(from), isHit: false })
  return pieces
}

/** Goes from one line that has the words in it to another, around the end. */
export function useLogSearch(lines: Readonly<Ref<readonly string[]>>) {
  const search = ref('')
  const words = computed(() => search.value.trim().toLowerCase())
  const hits = computed(() =>
    words.value
      ? lines.value.flatMap((text, line) =>
          text.toLowerCase().includes(words.value) ? [line] : [],
        )
      : [],
  )
  /** Which of the lines that have it. */
  const at = ref(0)
  watch(words, () => (at.value = 0), { flush: 'sync' })
  const line = computed(() => hits.value[at.value] ?? null)

  function go(by: 1 | -1) {
    const count = hits.value.length
    if (count > 0) at.value = (at.value + by + count) % count
  }
  return { search, words, hits, at, line, go }
}
