import { readYaml } from '../../yaml/read.ts'
import { type Json, type JsonMap, isMap } from '../../objects/types.ts'

/** What the user data of a machine ask for. */
export interface UserData {
  config: JsonMap
  /** A script to be run once, at the end. */
  script: string | null
  /** What cloud-init complains of, and then goes on without. */
  warning: string | null
}

const nothing: UserData = { config: {}, script: null, warning: null }

export function readUserData(text: string): UserData {
  const trimmed = text.trimStart()
  if (trimmed === '') return nothing
  if (trimmed.startsWith('#!')) return { ...nothing, script: trimmed }
  if (!/^#cloud-config\s*(\n|$)/.test(trimmed)) {
    const kind = text.slice(0, 24).replaceAll('\n', ' ')
    return {
      ...nothing,
      warning: `Unhandled non-multipart (text/x-not-multipart) userdata: 'b'${kind}'...'`,
    }
  }
  const { value, wrong } = yamlIn(trimmed)
  if (wrong !== null) return { ...nothing, warning: `Failed loading yaml blob. ${wrong}` }
  if (value === null) return nothing
  if (!isMap(value))
    return {
      ...nothing,
      warning: `Failed loading yaml blob. Yaml load allows (<class 'dict'>,) root types, but got ${typeof value} instead`,
    }
  return { ...nothing, config: value }
}

/** What the text says, or why it says nothing. */
export function yamlIn(
  text: string,
): { value: Json; wrong: null } | { value: null; wrong: string } {
  try {
    return { value: readYaml(text).value, wrong: null }
  } catch (error) {
    return { value: null, wrong: error instanceof Error ? error.message : String(error) }
  }
}
