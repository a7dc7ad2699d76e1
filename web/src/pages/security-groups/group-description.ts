import { t } from '../../words/t.ts'

const usual = 'Of VMs for which no other was chosen.'

/** The default group's description is a row like any other, until somebody writes another one. */
export const descriptionOf = ({
  isDefault,
  description,
}: {
  isDefault: boolean
  description: string
}): string => (isDefault && description === usual ? t(usual) : description)
