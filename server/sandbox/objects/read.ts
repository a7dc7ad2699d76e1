import { type Json, type JsonMap, type KubeObject, isMap } from './types.ts'

/** Readers of values that may be missing or have another type; these are read as empty. */
export const read = {
  map: (value: Json | undefined): JsonMap => (isMap(value) ? value : {}),
  maps: (value: Json | undefined): JsonMap[] => (Array.isArray(value) ? value.filter(isMap) : []),
  text: (value: Json | undefined): string => (typeof value === 'string' ? value : ''),
  texts: (value: Json | undefined): string[] =>
    Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [],
  spec: ({ spec }: KubeObject): JsonMap => read.map(spec),
  status: ({ status }: KubeObject): JsonMap => read.map(status),
  /** The value at the path; undefined when a part of it is missing. */
  at: (value: Json | undefined, ...path: string[]): Json | undefined =>
    path.reduce<Json | undefined>((node, key) => read.map(node)[key], value),
}

/** The map without keys whose value is undefined, as JSON omits them. */
export const filled = (map: JsonMap): JsonMap =>
  Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined))
