import { type memo as english } from '../en/memo.ts'
import { type Translation } from '../catalogue.ts'

export const memo: Translation<typeof english> = {
  'noun.memo': 'anotação',
  'memo.name_taken': 'Já existe uma anotação com o nome {name}; escolha outro.',
  'memo.name_taken_meanwhile': 'Já existe uma anotação com este nome; escolha outro.',
}
