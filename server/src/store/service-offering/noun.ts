import { type UnitTools } from '../../engine/database/unit.ts'
import { type Reader } from '../../engine/database/sql/reader.ts'
import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { ServiceOffering } from './service-offering-entity.ts'
import { ServiceOfferingReads, ServiceOfferingStore } from './service-offering.ts'

/** The part of the store for service offerings: tables and queries. */
export const serviceOfferingNoun = {
  entities: [ServiceOffering],
  reads: { serviceOfferings: ServiceOfferingReads },
  stores: {
    serviceOfferings: (unit: UnitTools, reader: Reader) => new ServiceOfferingStore(unit, reader),
  },
  workKeys: {},
  constraints: {
    service_offering_name_key: messageOf('offering.name_taken_meanwhile'),
  },
} satisfies NounParts
