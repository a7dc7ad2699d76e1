import { type JsonMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'

/** The reporters of a NIC, which its status lists in `infoSource`. */
type Source = 'domain' | 'guest-agent' | 'multus-status'

const sourcesOf = ({ infoSource }: JsonMap): string[] =>
  read.text(infoSource).split(', ').filter(Boolean)

export const hasSource = (status: JsonMap, source: Source): boolean =>
  sourcesOf(status).includes(source)

export const withSources = (status: JsonMap, ...added: readonly Source[]): JsonMap => ({
  ...status,
  infoSource: [...new Set([...sourcesOf(status), ...added])].join(', '),
})

export const withoutSource = (status: JsonMap, source: Source): JsonMap => ({
  ...status,
  infoSource: sourcesOf(status)
    .filter((each) => each !== source)
    .join(', '),
})
