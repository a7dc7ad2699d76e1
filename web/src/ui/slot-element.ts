import { Comment, type VNode, isVNode } from 'vue'

/**
 * Returns the single element of a slot, so that further attributes can be added to it:
 * `<component :is="slotElement(slots.trigger())" … />`.
 */
export function slotElement(slot: unknown): VNode | undefined {
  return Array.isArray(slot)
    ? slot.find((node): node is VNode => isVNode(node) && node.type !== Comment)
    : undefined
}
