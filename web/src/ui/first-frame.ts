import { onMounted, ref } from 'vue'

/**
 * Whether anything of the console has been drawn. Its first frame is what somebody waits for, and
 * holds what is read first and the room for the rest.
 */
export const isDrawn = ref(false)

/** When what is there by now has been drawn. */
export const behindFrame = (act: () => void) =>
  void requestAnimationFrame(() => requestAnimationFrame(act))

/** For what nobody waits for when a page is opened: the first frame is drawn without it. */
export const afterFirstFrame = (act: () => void) => onMounted(() => behindFrame(act))
