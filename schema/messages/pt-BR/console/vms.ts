/** The list of machines, and what is done with any of them. */
export const vms = {
  'As if the plug were pulled: what its system has not written to disk yet is lost.':
    'Como tirar da tomada: o que o sistema ainda não gravou em disco se perde.',
  'Delete machine': 'Excluir máquina',
  Kept: 'Mantido',
  'Open console': 'Abrir console',
  Released: 'Liberado',
  'Stop {name} by force?': 'Forçar o desligamento de {name}?',
  'Switch it off': 'Cortar a energia',
  'What happens': 'O que acontece',
  'A change waits for a restart': 'Uma mudança aguarda um reinício',
  Accepted: 'Aceito',
  Changing: 'Em mudança',
  Choose: 'Escolher',
  'Choose a template and a size, and the first one runs within a minute. Its console opens right here in the browser.':
    'Escolha um template e um tamanho, e a primeira estará em execução em um minuto. O console abre aqui mesmo no navegador.',
  'Choose all that are loaded': 'Escolher todas as carregadas',
  'Choose none': 'Não escolher nenhuma',
  'Choose {name}': 'Escolher {name}',
  'Chosen machines': 'Máquinas escolhidas',
  'Delete {n} machine | Delete {n} machines': 'Excluir {n} máquina | Excluir {n} máquinas',
  Looking: 'Verificando',
  'Machines of this tenant, what they are doing and why.':
    'Máquinas deste tenant, o que estão fazendo e por quê.',
  'No machine matches': 'Nenhuma máquina corresponde à busca',
  'No machines yet': 'Ainda não há máquinas',
  'Search machines': 'Buscar máquinas',
  'Start {n} machine | Start {n} machines': 'Ligar {n} máquina | Ligar {n} máquinas',
  'Stop {n} machine | Stop {n} machines': 'Desligar {n} máquina | Desligar {n} máquinas',
  'Their disks go with them. This cannot be undone.':
    'Os discos são excluídos com elas. Isso não pode ser desfeito.',
  'Their systems are asked to shut down.': 'Os sistemas recebem o pedido de desligamento.',
  'Those that run already stay as they are.': 'As que já estão em execução ficam como estão.',
  'Try fewer letters, or show them all.': 'Tente com menos letras ou mostre todas.',
  'Which machines': 'Quais máquinas',
  '{accepted} accepted, {refused} refused.': '{accepted} aceitas, {refused} recusadas.',
  '{accepted} accepted.': '{accepted} aceitas.',
  '{n} chosen | {n} chosen': '{n} escolhida | {n} escolhidas',
  'A view is a name for what is searched, filtered and sorted by.':
    'Uma visão é um nome para a busca, os filtros e a ordem.',
  'Copy the address of the page by hand: it is the link':
    'Copie o endereço da página: ele é o link',
  'Copy the link': 'Copiar o link',
  'Delete view {name}': 'Excluir a visão {name}',
  'It takes the place of the one of this name.': 'Substitui a que tem este nome.',
  'Save this view': 'Salvar esta visão',
  'Save view': 'Salvar visão',
  'Search, filter or sort first': 'Antes busque, filtre ou ordene',
  'The link is copied: whoever may see these machines sees this view.':
    'Link copiado: quem pode ver estas máquinas vê esta visão.',
  'There are {n} already; delete one first': 'Já há {n}; exclua uma antes',
  'View {name} is deleted.': 'A visão {name} foi excluída.',
  'View {name} is kept in this browser.': 'A visão {name} fica salva neste navegador.',
  Views: 'Visões',
  'What is searched, filtered and sorted by now, under a name. It is yours, in this tenant.':
    'A busca, os filtros e a ordem atuais, com um nome. É só sua, neste tenant.',
  '{name}, views': '{name}, visões',
}
