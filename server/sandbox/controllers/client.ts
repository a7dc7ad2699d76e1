import { isDeepStrictEqual } from 'node:util'
import { component } from '../objects/identity.ts'
import { storeNew } from '../apiserver/create.ts'
import { type DeleteOptions, removeObject } from '../apiserver/delete.ts'
import { isFinished } from '../apiserver/lifecycle.ts'
import { type FieldOwner, ownersAfterUpdate } from '../apiserver/patches/managed-fields.ts'
import { type Resource } from '../objects/resource.ts'
import { type Store } from '../apiserver/storage/store.ts'
import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { withGeneration } from '../apiserver/update.ts'
import { clock } from '../clock.ts'
import { type Guests } from '../guests/guest.ts'
import { type Gates } from './gates.ts'
import { type Pace, type Step } from '../pace.ts'
import { type EventContent, recordEvent } from './events.ts'

/** The dependencies that all controllers of a cluster share. */
export interface World {
  store: Store
  pace: Pace
  /** Stop reconciles on command; without gates all of them run. */
  gates?: Gates
  /** The folder of the contents of volumes; without it none are stored. */
  disks?: string
  /** Runs the guests of VMIs; without it no guest runs. */
  guests?: Guests
}

const background: DeleteOptions = {
  policy: 'Background',
  dryRun: false,
  uid: '',
  version: '',
  graceSeconds: null,
}

/**
 * The API client of a controller. It applies the same admission, generations, field managers and
 * events as a request over HTTP, but works on the store directly.
 *
 * Kinds are named as in `kubectl get`: `pods`, `virtualmachines.kubevirt.io`. No method awaits, so
 * an object that was read is still current when it is written.
 */
export class Client {
  readonly world: World
  /** The component of its events. */
  readonly name: string
  /** The field manager that owns the fields it writes. */
  readonly #program: string
  readonly #dueMs = new Map<string, number>()

  constructor(world: World, name: string, program = name) {
    this.world = world
    this.name = name
    this.#program = program
  }

  get(kind: string, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.world.store.get(this.#resource(kind), namespace, name)
  }

  list(kind: string, namespace?: string): KubeObject[] {
    return this.world.store.list(this.#resource(kind), namespace)
  }

  #resource(kind: string): Resource {
    return this.world.store.registry.named(kind)
  }

  /**
   * Creates the object through admission and quota; throws the error that a client would receive.
   */
  create(kind: string, object: KubeObject): KubeObject {
    const resource = this.#resource(kind)
    const manager = { name: this.#program, operation: 'Update' as const }
    return storeNew(this.world.store, resource, {
      object,
      owners: (next) => ownersAfterUpdate(resource, { old: null, next, manager }),
      user: component(`system:serviceaccount:kubevirt:${this.name}`),
      options: { dryRun: false },
    })
  }

  /**
   * Stores the changed object, or removes it when the change released the last finalizer. Writes
   * nothing when the objects are equal.
   */
  change(kind: string, old: KubeObject, next: KubeObject): KubeObject {
    return this.#write(kind, { old, next })
  }

  #write(
    kind: string,
    { old, next, subresource }: { old: KubeObject; next: KubeObject; subresource?: 'status' },
  ): KubeObject {
    const resource = this.#resource(kind)
    if (isDeepStrictEqual(old, next)) return old
    const counted = withGeneration(resource, old, next)
    const manager: FieldOwner = {
      name: this.#program,
      operation: 'Update',
      subresource: resource.status ? subresource : undefined,
    }
    const managedFields = ownersAfterUpdate(resource, { old, next: counted, manager })
    const successor = {
      ...counted,
      metadata: { ...counted.metadata, ...(managedFields.length > 0 ? { managedFields } : {}) },
    }
    if (!isFinished(successor)) return this.world.store.put(resource, successor)
    this.world.store.remove(resource, old)
    return successor
  }

  setStatus(kind: string, object: KubeObject, status: JsonMap): KubeObject {
    return this.#write(kind, { old: object, next: { ...object, status }, subresource: 'status' })
  }

  /**
   * Deletes the object, or marks it as deleted while finalizers remain. Returns the remaining
   * object, if any.
   */
  remove(kind: string, object: KubeObject, graceSeconds: number | null = null): KubeObject | null {
    return removeObject(this.world.store, this.#resource(kind), {
      object,
      options: { ...background, graceSeconds },
    })
  }

  /**
   * The remaining milliseconds of a step for an object; 0 once after the time has passed. Kept in
   * memory only, so a restart begins the step again, as after a reboot of a node.
   */
  remainingMs(step: Step, { metadata: { uid = '' } }: KubeObject): number {
    const key = `${step} ${uid}`
    const dueMs = this.#dueMs.get(key) ?? clock.nowMs() + this.world.pace.msOf(step)
    const leftMs = dueMs - clock.nowMs()
    if (leftMs > 0) this.#dueMs.set(key, dueMs)
    else this.#dueMs.delete(key)
    return Math.max(0, leftMs)
  }

  /** Removes a finalizer. */
  release(kind: string, object: KubeObject, finalizer: string): KubeObject {
    const remaining = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer)
    const { finalizers: _all, ...metadata } = object.metadata
    return this.change(kind, object, {
      ...object,
      metadata: remaining.length > 0 ? { ...metadata, finalizers: remaining } : metadata,
    })
  }

  record(subject: KubeObject, occurrence: EventContent): void {
    recordEvent(this, subject, occurrence)
  }
}
