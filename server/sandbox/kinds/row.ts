import { type Resource } from '../objects/resource.ts'
import { openSchema, withMeta } from './core-schemas.ts'

type Row = Pick<Resource, 'plural' | 'kind'> & Partial<Resource>

/** Completes the row of a kind that is part of the API server. */
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
    updates: row.custom ? 'conditional' : 'unconditional',
    countsGenerations: false,
    names: 'subdomain',
    selectable: [],
    hooks: {},
    ...row,
    schema: withMeta(schema),
  }
}

/** Completes the row of a kind that a component installs with a CRD. */
export const custom = (row: Row): Resource =>
  builtIn({ custom: true, countsGenerations: true, ...row })

/** The first version of `kubevirt.io`, which is deprecated. */
export const alpha3 = {
  version: 'v1alpha3',
  warning: 'kubevirt.io/v1alpha3 is now deprecated and will be removed in a future release.',
}
