import { readYaml } from '../../yaml/read.ts'
import { type Json, type JsonMap, isMap } from '../../objects/types.ts'

/** The cloud-init user data of a simulated guest, parsed. */
export interface UserData {
  config: JsonMap
  /** A script that runs once, at the end of the first boot. */
  script: string | null
  /** The warning that cloud-init logs before it continues without the user data. */
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

/** Parses YAML. Returns the value, or the error message. */
export function yamlIn(
  text: string,
): { value: Json; wrong: null } | { value: null; wrong: string } {
  try {
    return { value: readYaml(text).value, wrong: null }
  } catch (error) {
    return { value: null, wrong: error instanceof Error ? error.message : String(error) }
  }
}
