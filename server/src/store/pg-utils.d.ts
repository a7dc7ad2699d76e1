/** pg's own conversion of values to the wire; exported by the package, but without types. */
declare module 'pg/lib/utils.js' {
  const utils: { prepareValue(value: unknown): unknown }
  export default utils
}
