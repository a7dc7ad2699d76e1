import { type Answer } from '../apiserver/request.ts'
import { ApiError, refuse } from '../objects/status.ts'

/** The errors of virt-api name kinds in the singular. */
export type Kind = 'virtualmachine' | 'virtualmachineinstance'

/** The object that a request names; it may not exist. */
export interface Subject {
  kind: Kind
  name: string
}

const detailsOf = ({ kind, name }: Subject) => ({ name, group: 'kubevirt.io', kind })

/** The error responses of virt-api, which differ from those of kube-apiserver. */
export const deny = {
  badRequest: refuse.badRequest,

  notFound: (subject: Subject): ApiError =>
    new ApiError({
      status: 404,
      reason: 'NotFound',
      message: `${subject.kind}.kubevirt.io "${subject.name}" not found`,
      details: detailsOf(subject),
    }),

  conflict: (subject: Subject, why: string): ApiError =>
    new ApiError({
      status: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ${subject.kind}.kubevirt.io "${subject.name}": ${why}`,
      details: detailsOf(subject),
    }),

  forbidden: (subject: Subject, why: string): ApiError =>
    new ApiError({
      status: 403,
      reason: 'Forbidden',
      message: `${subject.kind}.kubevirt.io "${subject.name}" is forbidden: ${why}`,
      details: detailsOf(subject),
    }),

  internal: (why: string): ApiError =>
    new ApiError({
      status: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${why}`,
      details: { causes: [{ message: why }] },
    }),
}

export const plain = (status: number, body: string): Answer => ({
  status,
  body,
  contentType: 'text/plain; charset=utf-8',
})

/** A successful response without body and content type. */
export const empty = (status: number): Answer => ({ status, body: '', contentType: null })
