/** An expression that came to no value. */
export class CelFailed extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'CelFailed'
  }
}
