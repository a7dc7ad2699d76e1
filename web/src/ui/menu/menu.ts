import type { Component, InjectionKey } from 'vue'

/** The library's item, which comes with the list that it is in. */
export const menuItemKey: InjectionKey<Component> = Symbol('menu item')
