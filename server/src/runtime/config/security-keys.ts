import * as v from 'valibot'
import { group, key, open } from './key.ts'
import { groupRole, origin, text, webUrl, wholeNumber } from './values.ts'

/** The keys of `security`: logins, sessions, and who may read the schema. */
export const securityKeys = (isSandbox: boolean) =>
  group({
    oidc: v.nullish(
      v.strictObject({
        issuer: v.pipe(webUrl, v.description('The issuer of the identity provider.')),
        clientId: v.pipe(text, v.description('The client id of Berth at the identity provider.')),
        scopes: key('The scopes of a login.', v.array(text), ['openid', 'profile', 'email']),
        displayName: key('The label of the login button.', text, 'Single sign-on'),
        usernameClaim: key('The claim with the username.', text, 'preferred_username'),
        tenantClaim: open(
          'The claim with the slug of the tenant. It counts at every login: a user who moved to another tenant is deleted in the former one. Without it, no new user can log in.',
          text,
        ),
        roleClaim: open(
          'The claim with the name of the role, or with the groups of the user. It counts at every login. Without it, a new user gets the role tenant.viewer and administrators choose another.',
          text,
        ),
        groupRoles: key(
          'The roles of groups in `roleClaim`. The first entry with a group of the user counts, and a user in none of the groups cannot log in. Without entries, the claim names the role itself.',
          v.array(groupRole),
          [],
        ),
      }),
      null,
    ),
    allowedOrigins: key(
      'Origins whose pages may call the REST interface, use sessions and open sockets, in addition to that of `server.publicUrl`.',
      v.array(origin),
      [],
    ),
    apiKeyMaxDays: open(
      'The most days that a new API key may live. No limit when it is not set.',
      wholeNumber(1, 36_500),
    ),
    tokenTtlSeconds: key('How long an access token is valid.', wholeNumber(60, 31_536_000), 86_400),
    secondFactor: key(
      'The users who must have a second factor: none, root, or every user with a password. The admin of a tenant can require it of the users of the tenant. Users of the identity provider and API keys are exempt.',
      v.picklist(['optional', 'root', 'everyone']),
      'optional',
    ),
    introspection: key('Clients with a login may read the GraphQL schema.', v.boolean(), isSandbox),
    publicIntrospection: key(
      'Clients without a login may read it too, when `security.introspection` is on.',
      v.boolean(),
      false,
    ),
  })
