import { expect, test } from 'vitest'
import { operationKinds } from '../../../server/src/domain/nouns.ts'
import { explanationCodes } from '../../../server/src/domain/vm/explain.ts'
import { vmEventCodes } from '../../../server/src/domain/vm-event/vm-event.ts'
import { vmSnapshotExplanationCodes } from '../../../server/src/domain/vm-snapshot/explain.ts'
import { volumeExplanationCodes } from '../../../server/src/domain/volume/explain.ts'
import { faultTable } from '../../../server/src/engine/http/faults.ts'
import { portugueseServed } from '../../../web/src/words/portuguese.ts'

const kinds = Object.entries(operationKinds)
const codes = [
  ...kinds.map(([kind]) => `operation.${kind}`),
  ...kinds.flatMap(([kind, { steps }]) => steps.map(({ name }) => `step.${kind}.${name}`)),
  ...explanationCodes.map((code) => `vm.${code}.summary`),
  ...vmEventCodes.map((code) => `vm_event.${code}`),
  ...volumeExplanationCodes.flatMap((code) => [
    `volume.${code}.summary`,
    `volume.${code}.nextStep`,
  ]),
  ...vmSnapshotExplanationCodes.flatMap((code) => [
    `snapshot.${code}.summary`,
    `snapshot.${code}.nextStep`,
  ]),
  ...Object.keys(faultTable).map((code) => `remedy.${code}`),
]

test('the console has Portuguese for each operation, step, explanation and remedy of the server', () => {
  expect(codes.filter((code) => !(code in portugueseServed))).toEqual([])
})

test('the console keeps no Portuguese for codes that the server has given up', () => {
  const known = new Set(codes)
  const about = /^(operation|step|remedy|vm_event)\./
  expect(
    Object.keys(portugueseServed).filter((code) => about.test(code) && !known.has(code)),
  ).toEqual([])
})
