import { type NounParts } from '../noun-parts.ts'
import { EventsTicketStore } from './events-ticket.ts'

/** The part of the store for tickets for the socket of events: queries. */
export const eventNoun = {
  entities: [],
  reads: {},
  stores: { eventsTickets: EventsTicketStore },
  workKeys: {},
} satisfies NounParts
