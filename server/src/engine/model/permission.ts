import { type Permissions } from './registry.ts'

export type Permission = keyof Permissions

/** What an operation may declare: a permission, any logged-in caller, or the public. */
export type Requirement = Permission | 'any' | 'public'
