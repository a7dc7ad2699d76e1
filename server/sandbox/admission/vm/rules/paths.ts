import { posix } from 'node:path'
import { type Cause } from '../../../objects/cause.ts'
import { cause } from '../../refusals.ts'

/** Validates the path of a file in an image. */
export function pathCauses(field: string, path: string): Cause[] {
  if (path === '/') return [cause.wrong(field, `${field} must not point to root`)]
  const clean = posix.join('/', path).replace(/(?<=.)\/$/, '')
  return clean === path.replace(/\/$/, '')
    ? []
    : [
        cause.wrong(
          field,
          `${field} must be an absolute path to a file without relative components`,
        ),
      ]
}
