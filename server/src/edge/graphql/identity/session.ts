import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import { type SessionView } from '../../../domain/identity/session.ts'
import { endSession, logOut } from '../../../usecases/session/end-session.ts'
import {
  credentialReads,
  credentialScope,
  visibleCredentials,
} from '../../../usecases/identity/visible-credentials.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import {
  needs,
  openWithoutSecondFactor,
  sameAccessAsObject,
} from '../../../engine/graphql/needs.ts'
import { requestedSort } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import {
  EndSessionInput,
  EndSessionPayload,
  LogoutPayload,
  Session,
  SessionConnection,
  SessionOrder,
} from './session-types.ts'

@Resolver(() => Session)
export class SessionResolver {
  @needs('any')
  @Query(() => SessionConnection, {
    description:
      'Lists the logins that are still valid, newest first: your own, or with `users:write` those ' +
      'of the whole tenant.',
  })
  sessions(
    @Ctx() context: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('orderBy', () => SessionOrder, { nullable: true }) orderBy?: SessionOrder,
  ) {
    return SessionConnection.read(credentialReads(context.berth, context).sessions, {
      query: { ...visibleCredentials(context.viewer), ...requestedSort(orderBy) },
      page: context.pageOf(args),
    })
  }

  @sameAccessAsObject()
  @FieldResolver(() => Boolean, { description: 'True for the login of this request.' })
  isCurrent(@Root() { id }: SessionView, @Ctx() { viewer }: GraphRequest): boolean {
    return viewer.credential !== 'api_key' && viewer.credentialId === id
  }

  @needs('any')
  @Mutation(() => EndSessionPayload, {
    description: 'Ends a login for good. Its tokens and open streams stop working within a second.',
  })
  endSession(
    @Ctx() { berth, call, viewer }: FieldContext,
    @Arg('input', () => EndSessionInput) input: EndSessionInput,
  ) {
    const scope = credentialScope(viewer, call.scope)
    return berth.write({ ...call, scope }, (op) => endSession(op, input))
  }

  @needs('any')
  @openWithoutSecondFactor()
  @Mutation(() => LogoutPayload, {
    description: 'Ends the login of this request. A request with an API key is refused.',
  })
  logout(@Ctx() { berth, call, viewer }: FieldContext) {
    const scope = credentialScope(viewer, call.scope)
    return berth.write({ ...call, scope }, logOut)
  }
}
