import { Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql'
import {
  type EventsTicket,
  createEventsTicket,
} from '../../../usecases/event/create-events-ticket.ts'
import { type FieldContext } from '../context.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'

@ObjectType({ simpleResolvers: true, description: 'A ticket that opens the event socket once.' })
export class CreateEventsTicketPayload implements EventsTicket {
  @Field(() => String, { description: 'The ticket. It can be used once.' })
  ticket!: string
  @Field(() => DateTime, { description: 'When the ticket expires.' })
  expiresAt!: string
}

/**
 * Issues tickets for the socket of events. A browser cannot send the session token in a header when
 * it opens a socket.
 */
@Resolver()
export class EventsTicketResolver {
  @needs('any')
  @Mutation(() => CreateEventsTicketPayload, {
    description:
      'Creates a ticket that opens the event socket of the tenant once, within 30 seconds.',
  })
  createEventsTicket(@Ctx() { write }: FieldContext) {
    return write((op) => createEventsTicket(op))
  }
}
