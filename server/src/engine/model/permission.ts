import { type Permissions } from './registry.ts'

export type Permission = keyof Permissions

/** The access rule of an operation: a permission, any logged-in caller, or public. */
export type Requirement = Permission | 'any' | 'public'
