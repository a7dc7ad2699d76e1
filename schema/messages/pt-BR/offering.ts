import { type offering as english } from '../en/offering.ts'
import { type Translation } from '../catalogue.ts'

export const offering: Translation<typeof english> = {
  'offering.name_taken': 'Já existe uma oferta de serviço com o nome {name}; escolha outro.',
  'offering.name_taken_meanwhile': 'Já existe uma oferta de serviço com este nome; escolha outro.',
}
