import { type Ref, computed, ref, watch } from 'vue'

export interface Piece {
  text: string
  isHit: boolean
}

/** Splits a line at each match of the query. The case is ignored. */
export function piecesOf(text: string, query: string): Piece[] {
  const [line, sought] = [text.toLowerCase(), query.toLowerCase()]
  // A few letters are longer in lower case. Then the positions differ, and the whole line is
  // marked.
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

/** Searches the lines and moves between the matches, from the last to the first again. */
export function useLogSearch(lines: Readonly<Ref<readonly string[]>>) {
  const search = ref('')
  const query = computed(() => search.value.trim().toLowerCase())
  const hits = computed(() =>
    query.value
      ? lines.value.flatMap((text, line) =>
          text.toLowerCase().includes(query.value) ? [line] : [],
        )
      : [],
  )
  /** The index of the current match. */
  const at = ref(0)
  watch(query, () => (at.value = 0), { flush: 'sync' })
  const line = computed(() => hits.value[at.value] ?? null)

  function go(by: 1 | -1) {
    const count = hits.value.length
    if (count > 0) at.value = (at.value + by + count) % count
  }
  return { search, query, hits, at, line, go }
}
