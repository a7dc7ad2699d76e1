/**
 * An answer whose shape is the very thing that a test looks at: what is not there fails the
 * assertion, not the compiler.
 */
export type Json = ReturnType<typeof JSON.parse>
