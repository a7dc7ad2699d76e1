import { type UnitTools } from '../../engine/database/unit.ts'
import { type Reader } from '../../engine/database/sql/reader.ts'
import { type NounParts } from '../noun-parts.ts'
import { ServiceOffering } from './service-offering-entity.ts'
import { ServiceOfferingReads, ServiceOfferingStore } from './service-offering.ts'

export const serviceOfferingNoun = {
  entities: [ServiceOffering],
  reads: { serviceOfferings: ServiceOfferingReads },
  stores: {
    serviceOfferings: (unit: UnitTools, reader: Reader) => new ServiceOfferingStore(unit, reader),
  },
  keys: {},
} satisfies NounParts
