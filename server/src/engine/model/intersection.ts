/** Turns the union `A | B` into the intersection `A & B`. */
export type IntersectionOf<Union> = (
  Union extends unknown ? (part: Union) => void : never
) extends (whole: infer Whole) => void
  ? Whole
  : never
