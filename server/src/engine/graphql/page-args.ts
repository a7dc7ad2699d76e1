import { Arg, ArgsType, Field, Int } from 'type-graphql'
import { defaultPageSize } from '../model/page.ts'

/** The arguments of every GraphQL field that returns a page of a list. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, {
    nullable: true,
    defaultValue: defaultPageSize,
    description: 'Page size. Larger values are reduced to the maximum.',
  })
  first?: number | null
  @Field(() => String, { nullable: true, description: 'Start after this cursor.' }) after?:
    string | null
}

/** Declares the argument `first` of a list in an object. It is required, so its cost is known. */
export const First = () =>
  Arg('first', () => Int, {
    description: 'The number of rows. Larger values are reduced to the maximum.',
  })
