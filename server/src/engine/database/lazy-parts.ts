type Factories<Context, Parts> = {
  readonly [Name in keyof Parts]: (context: Context) => Parts[Name]
}

/**
 * Makes a function that gives an object with one property for each factory. A property is made when
 * it is first read, so that a unit pays only for the stores that it uses.
 */
export function lazyParts<Context extends object, Parts extends object>(
  factories: Factories<Context, Parts>,
): (context: Context) => Parts {
  class Lazy {
    readonly context: Context

    constructor(context: Context) {
      this.context = context
    }
  }
  // Object.entries forgets which factory belongs to which name.
  const entries = Object.entries(factories) as [string, (context: Context) => unknown][]
  for (const [name, make] of entries)
    Object.defineProperty(Lazy.prototype, name, {
      get(this: Lazy): unknown {
        const value = make(this.context)
        Object.defineProperty(this, name, { value })
        return value
      },
    })
  // The getters that were just defined are the parts.
  return (context) => new Lazy(context) as unknown as Parts
}
