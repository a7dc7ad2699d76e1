/** `A & B` for the union `A | B`. */
export type IntersectionOf<Union> = (
  Union extends unknown ? (part: Union) => void : never
) extends (whole: infer Whole) => void
  ? Whole
  : never
