/** Returns a function that calls `act` when it is first called, and then keeps its result. */
export function once<Result>(act: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => (result ??= act())
}
