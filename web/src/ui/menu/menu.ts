import type { Component, InjectionKey } from 'vue'

/** The library's menu item, which is loaded with the list and passed to its items. */
export const menuItemKey: InjectionKey<Component> = Symbol('menu item')
