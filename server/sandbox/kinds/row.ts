import { type Resource } from '../objects/resource.ts'
import { openSchema, withMeta } from './core-schemas.ts'

type Row = Pick<Resource, 'plural' | 'kind'> & Partial<Resource>

/** A kind that is part of the API server itself. */
export function builtIn({ schema = openSchema, ...row }: Row): Resource {
  return {
    group: '',
    version: 'v1',
    singular: row.kind.toLowerCase(),
    namespaced: true,
    shortNames: [],
    categories: [],
    custom: false,
    status: false,
    subresources: [],
    countsGenerations: false,
    names: 'subdomain',
    selectable: [],
    hooks: {},
    ...row,
    schema: withMeta(schema),
  }
}

/** A kind that a component of the cluster brings with a CRD. */
export const custom = (row: Row): Resource =>
  builtIn({ custom: true, countsGenerations: true, ...row })

/** The first version of KubeVirt's own group. */
export const alpha3 = {
  version: 'v1alpha3',
  warning: 'kubevirt.io/v1alpha3 is now deprecated and will be removed in a future release.',
}
