export const memos = {
  'Create memo': 'Criar anotação',
  'Delete memo': 'Excluir anotação',
  'New memo': 'Nova anotação',
  'No memo matches': 'Nenhuma anotação corresponde à busca',
  'No memos yet': 'Ainda não há anotações',
  Memos: 'Anotações',
  'Memo {name} was created.': 'A anotação {name} foi criada.',
  'Search by name or text': 'Buscar por nome ou texto',
  'Search memos': 'Buscar anotações',
  'Texts that the users of this tenant share.': 'Textos que os usuários deste tenant compartilham.',
  'The memo is removed for all users of the tenant.':
    'A anotação é removida para todos os usuários do tenant.',
  'Write a text': 'Escreva um texto',
  'create write text': 'criar escrever texto',
}

export const memoCodes = { 'kind.memo': 'anotação', 'permission.memos': 'Anotações' }
