import { Comment, type VNode, isVNode } from 'vue'

/**
 * The element that a slot consists of, to be drawn with more than it was written with: `<component
 * :is="only(slots.trigger())" … />`.
 */
export function only(slot: unknown): VNode | undefined {
  return Array.isArray(slot)
    ? slot.find((node): node is VNode => isVNode(node) && node.type !== Comment)
    : undefined
}
