import { onMounted, ref } from 'vue'

/**
 * Turns true after the console's first frame. That frame holds only what a user reads first, and
 * reserves space for the rest, which UiDeferred draws afterwards.
 */
export const isFirstFrameDrawn = ref(false)

/** Runs the action after the current content has been drawn. */
export const afterPaint = (act: () => void) =>
  void requestAnimationFrame(() => requestAnimationFrame(act))

/** Runs work of a component that its first frame does not need. */
export const afterFirstFrame = (act: () => void) => onMounted(() => afterPaint(act))
