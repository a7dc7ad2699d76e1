/** An answer whose shape is under test. A missing field fails the assertion, not the compiler. */
export type Json = ReturnType<typeof JSON.parse>
