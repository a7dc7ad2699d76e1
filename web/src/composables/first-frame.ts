import { onMounted } from 'vue'

/** For what nobody waits for when a page is opened: the first frame is drawn without it. */
export const afterFirstFrame = (act: () => void) => onMounted(() => requestAnimationFrame(() => requestAnimationFrame(act)))
