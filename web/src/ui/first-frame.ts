import { onMounted, ref } from 'vue'

/**
 * Turns true after the console's first frame. That frame holds only what is read first, and keeps
 * room for the rest; a UiDeferred draws the rest afterwards.
 */
export const isFirstFrameDrawn = ref(false)

/** Runs the action after the current content has been drawn. */
export const behindFrame = (act: () => void) =>
  void requestAnimationFrame(() => requestAnimationFrame(act))

/** Runs work of a component that its first frame does not need. */
export const afterFirstFrame = (act: () => void) => onMounted(() => behindFrame(act))
