import { Extensions } from 'type-graphql'
import { type Requirement } from '../model/permission.ts'

/**
 * Declares the permissions that a caller of a GraphQL field needs. `authorizeSchema` checks them
 * before each call.
 */
export function needs(
  ...requirements: [Requirement, ...Requirement[]]
): MethodDecorator & PropertyDecorator {
  return Extensions({ needs: requirements })
}

/** Marks a computed field that reveals nothing beyond its object. */
export const sameAccessAsObject = (): MethodDecorator & PropertyDecorator =>
  Extensions({ needs: ['any'] })

/** Marks an operation that is open to a login whose user must set up a second factor first. */
export const openWithoutSecondFactor = (): MethodDecorator & PropertyDecorator =>
  Extensions({ openWithoutSecondFactor: true })

/** Marks an operation that covers all tenants when root named none. */
export const platformWide = (): MethodDecorator & PropertyDecorator =>
  Extensions({ platformWide: true })

/**
 * Marks an operation whose use case writes the audit row itself, also of a refusal, because it
 * knows the actor better than the authorization.
 */
export const auditsItself = (): MethodDecorator & PropertyDecorator =>
  Extensions({ auditsItself: true })
