/**
 * Makes a function that gives an object with one property for each factory. A property is made when
 * it is first read, so that a unit pays only for the stores that it uses.
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
  // The getters that were just defined are the parts.
  return (context) => new Lazy(context) as unknown as Parts
}
