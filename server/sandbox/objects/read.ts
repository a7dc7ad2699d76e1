import { type Json, type JsonMap, type KubeObject, isMap } from './types.ts'

/** How controllers read what others wrote: whatever is absent or odd is empty, never an error. */
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

/** The map without the keys whose value is undefined, as JSON has it. */
export const filled = (map: JsonMap): JsonMap =>
  Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined))
