import { type ClassType, Field, Int, ObjectType } from 'type-graphql'
import { type Page, type PageRequest } from '../model/page.ts'
import { sameAccessAsObject } from './needs.ts'
import { type Selected } from './selection.ts'

@ObjectType({ simpleResolvers: true, description: 'The position of a page in its list.' })
export class PageInfo {
  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the last entry, where the next page starts; null on an empty page.',
  })
  endCursor!: string | null
  @Field(() => Boolean, { description: 'True when entries follow the page.' })
  hasNextPage!: boolean
  @Field(() => Boolean, { description: 'True when the request started after a cursor.' })
  hasPreviousPage!: boolean
  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the first entry; null on an empty page.',
  })
  startCursor!: string | null
}

/** The result of a list resolver: the page, and a function that counts the total on demand. */
export interface ListResult<Node> {
  page: Page<Node>
  pageRequest: PageRequest
  count: () => Promise<number>
}

/** The reads of one noun that a list field uses. */
interface ListReads<Node, Query> {
  list(page: PageRequest, query: Query, selected?: Selected): Promise<Page<Node>>
  count(query: Query): Promise<number>
}

interface Edge<Node> {
  cursor: string
  node: Node
}

/**
 * Returns the Relay connection of a noun. Edges, cursors and the total cost nothing unless a query
 * selects them.
 */
export function connectionOf<Node extends object>(NodeType: ClassType, name: string) {
  @ObjectType(`${name}Edge`, { simpleResolvers: true })
  class NodeEdge implements Edge<Node> {
    @Field(() => String, { description: 'Pass it as `after` to start after this entry.' })
    cursor!: string
    @Field(() => NodeType, { description: 'The entry.' }) node!: Node
  }

  @ObjectType({ simpleResolvers: true })
  abstract class Connection {
    readonly #listed: ListResult<Node>
    @Field(() => [NodeType], { description: 'The entries of the page.' })
    readonly nodes: Node[]

    constructor(listed: ListResult<Node>) {
      this.#listed = listed
      this.nodes = listed.page.nodes
    }

    static async read<Self extends Connection, Query>(
      this: new (listed: ListResult<Node>) => Self,
      reads: ListReads<Node, Query>,
      {
        query,
        page: pageRequest,
        selected = null,
      }: { query: Query; page: PageRequest; selected?: Selected },
    ): Promise<Self> {
      const page = await reads.list(pageRequest, query, selected)
      return new this({ page, pageRequest, count: () => reads.count(query) })
    }

    @sameAccessAsObject()
    @Field(() => [NodeEdge], { description: 'The entries of the page with their cursors.' })
    get edges(): Edge<Node>[] {
      const { page } = this.#listed
      return page.nodes.map((node, index) => ({ node, cursor: page.cursor(index) }))
    }

    @sameAccessAsObject()
    @Field(() => PageInfo, { description: 'The position of the page in the list.' })
    get pageInfo(): PageInfo {
      const { page, pageRequest } = this.#listed
      const last = page.nodes.length - 1
      const [startCursor, endCursor] = last < 0 ? [null, null] : [page.cursor(0), page.cursor(last)]
      return {
        startCursor,
        endCursor,
        hasNextPage: page.hasNextPage,
        hasPreviousPage: pageRequest.after !== null,
      }
    }

    @sameAccessAsObject()
    @Field(() => Int, { description: 'The number of entries of all pages.' })
    totalCount(): Promise<number> {
      return this.#listed.count()
    }
  }
  return Connection
}
