import { type UnitTools } from '../../engine/database/unit.ts'
import { type NounParts } from '../noun-parts.ts'
import { EventsTicketStore } from './events-ticket.ts'

export const eventNoun = {
  entities: [],
  reads: {},
  stores: {
    eventsTickets: (unit: UnitTools) => new EventsTicketStore(unit.client),
  },
  keys: {},
} satisfies NounParts
