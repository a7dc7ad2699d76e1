import { isId } from '../../../runtime/ids.ts'

const nobody = '00000000-0000-0000-0000-000000000000'

/** For a condition on an id that a caller named: what is no id is nobody's. */
export const idOrNobody = (id: string | null | undefined): string => (id && isId(id) ? id : nobody)
