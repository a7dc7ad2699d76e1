/**
 * Turns the union `A | B` into the intersection `A & B`. A list of parts, one per noun, becomes the
 * type that has the members of all parts.
 */
export type IntersectionOf<Union> = (
  Union extends unknown ? (part: Union) => void : never
) extends (whole: infer Whole) => void
  ? Whole
  : never
