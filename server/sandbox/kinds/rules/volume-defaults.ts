import { type JsonMap, isMap } from '../../objects/types.ts'
import { pullPolicyOf, withDefaults } from './container-defaults.ts'

const defaultMode = 0o644

const bySource: Readonly<Record<string, (source: JsonMap) => JsonMap>> = {
  configMap: () => ({ defaultMode }),
  downwardAPI: () => ({ defaultMode }),
  hostPath: () => ({ type: '' }),
  image: ({ reference }) => ({ pullPolicy: pullPolicyOf(reference) }),
  projected: () => ({ defaultMode }),
  secret: () => ({ defaultMode }),
}

/** Adds the defaults of a pod volume's source. A volume without a source is an `emptyDir`. */
export function volumeDefaults(volume: JsonMap): JsonMap {
  if (Object.keys(volume).every((key) => key === 'name')) return { ...volume, emptyDir: {} }
  const completed = Object.entries(volume).map(([kind, source]) => {
    const defaults = bySource[kind]
    return [
      kind,
      defaults && isMap(source) ? withDefaults(source, defaults(source)) : source,
    ] as const
  })
  return Object.fromEntries(completed)
}
