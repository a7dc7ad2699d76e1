import { Extensions } from 'type-graphql'
import { type Requirement } from '../model/permission.ts'

export function needs(
  ...requirements: [Requirement, ...Requirement[]]
): MethodDecorator & PropertyDecorator {
  return Extensions({ needs: requirements })
}

/** A computed field that shows nothing beyond the object it hangs on. */
export const asItsObject = (): MethodDecorator & PropertyDecorator => Extensions({ needs: ['any'] })

/** Root that has named no tenant sees this for all of them. */
export const platformWide = (): MethodDecorator & PropertyDecorator =>
  Extensions({ platformWide: true })

/**
 * The use case leaves the audit row itself, also of a refusal: it knows better than the guard who
 * tried.
 */
export const auditsItself = (): MethodDecorator & PropertyDecorator =>
  Extensions({ auditsItself: true })
