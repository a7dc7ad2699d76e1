import { isId } from '../../../runtime/ids.ts'

const noRow = '00000000-0000-0000-0000-000000000000'

/** Returns the id from a request, or the id of no row when the text is not an id. */
export const idOrNoRow = (id: string | null | undefined): string => (id && isId(id) ? id : noRow)
