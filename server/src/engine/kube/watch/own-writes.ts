import { type ApiKind } from '../api-call.ts'
import { type ApiObject } from '../objects.ts'
import { type KnownObject } from './watch.ts'

/** The address of an object, which is known before it exists. */
interface ObjectAddress {
  of: ApiKind
  namespace?: string
  name: string
}

interface OpenWrites {
  count: number
  /** The events that wait for the end of the writes. */
  held: (() => void)[]
}

/** Enough for the writes of a minute. An echo that comes later causes one pass without a change. */
const maxVersions = 2_000

/**
 * The versions that the writes of this process returned. A watch event with such a version is the
 * echo of a write, and its reconciler knows the object already. The response and the echo travel on
 * two connections, so an event of an object that is being written waits for the response.
 */
export class OwnWrites {
  readonly #versions = new Set<string>()
  readonly #open = new Map<string, OpenWrites>()

  /** Sends a write and remembers the version that it returns. */
  async send(address: ObjectAddress, write: () => Promise<ApiObject>): Promise<ApiObject> {
    const key = keyOf(address)
    const open = this.#open.get(key) ?? { count: 0, held: [] }
    this.#open.set(key, open)
    open.count += 1
    try {
      const object = await write()
      this.#remember(versionKey(object.metadata.uid, object.metadata.resourceVersion))
      return object
    } finally {
      open.count -= 1
      if (open.count === 0) {
        this.#open.delete(key)
        for (const event of open.held) event()
      }
    }
  }

  /** Calls `report` for the event of a changed object, unless it is the echo of a write. */
  reportForeign(of: ApiKind, object: KnownObject, report: () => void): void {
    const { namespace, name, uid, version } = object
    const open = this.#open.get(keyOf({ of, ...(namespace === null ? {} : { namespace }), name }))
    if (open) open.held.push(() => this.reportForeign(of, object, report))
    else if (!this.#versions.delete(versionKey(uid, version))) report()
  }

  #remember(version: string): void {
    this.#versions.add(version)
    // A set is in the order of insertion. Objects without a watch have no echo.
    for (const oldest of this.#versions) {
      if (this.#versions.size <= maxVersions) return
      this.#versions.delete(oldest)
    }
  }
}

const keyOf = ({ of, namespace = '', name }: ObjectAddress): string =>
  `${of.group}/${of.plural}/${namespace}/${name}`

const versionKey = (uid: string, version: string): string => `${uid}/${version}`
