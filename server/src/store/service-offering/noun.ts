import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { ServiceOffering } from './service-offering-entity.ts'
import { ServiceOfferingReads, ServiceOfferingStore } from './service-offering.ts'

/** The part of the store for service offerings: tables and queries. */
export const serviceOfferingNoun = {
  entities: [ServiceOffering],
  reads: { serviceOfferings: ServiceOfferingReads },
  stores: { serviceOfferings: ServiceOfferingStore },
  workKeys: {},
  constraints: {
    service_offering_name_key: messageOf('offering.name_taken_meanwhile'),
  },
} satisfies NounParts
