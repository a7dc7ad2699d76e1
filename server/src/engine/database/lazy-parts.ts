/**
 * Returns a function that creates an object with one lazy property per factory. A unit then pays
 * only for the stores that it uses.
 */
export function lazyParts<Context, Parts extends object>(
  factories: Readonly<Record<string, (context: Context) => object>>,
): (context: Context) => Parts {
  class Lazy {
    readonly context: Context

    constructor(context: Context) {
      this.context = context
    }
  }
  for (const [name, make] of Object.entries(factories))
    Object.defineProperty(Lazy.prototype, name, {
      get(this: Lazy): object {
        const value = make(this.context)
        Object.defineProperty(this, name, { value })
        return value
      },
    })
  // The getters defined above are the parts.
  return (context) => new Lazy(context) as unknown as Parts
}
