import { scalar } from '../../engine/rest/scalar.ts'

/** Clients compare the CIDR with the one that they sent. */
export const writtenCidr = {
  schema: {
    ...scalar.text,
    description: 'The CIDR as the request wrote it, possibly with host bits.',
  },
  from: 'requestedCidr',
}
