import { t } from '../../i18n/t.ts'

const usual = 'Of VMs for which no other was chosen.'

/** Translates the description of the default group, unless a user has changed it. */
export const descriptionOf = ({
  isDefault,
  description,
}: {
  isDefault: boolean
  description: string
}): string => (isDefault && description === usual ? t(usual) : description)
