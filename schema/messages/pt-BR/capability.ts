import { type capability as english } from '../en/capability.ts'
import { type Translation } from '../catalogue.ts'

export const capability: Translation<typeof english> = {
  'capability.no_expansion': 'a classe de armazenamento {class} não permite expandir volumes',
  'capability.not_shared':
    'não se sabe se a classe de armazenamento {class} oferece volumes que dois nós podem usar (ReadWriteMany)',
  'capability.no_snapshot_class':
    'nenhuma VolumeSnapshotClass atende o driver da classe de armazenamento {class}',
  'capability.ambiguous_snapshot_class':
    'várias VolumeSnapshotClasses atendem o driver da classe de armazenamento {class}, e não há exatamente uma padrão',
  'capability.no_cdi': 'a CDI, que preenche volumes, não está instalada no cluster',
  'capability.unknown_class':
    'a CDI não sabe pedir um volume à classe de armazenamento {class}: o StorageProfile não cita modo de acesso',
  'capability.no_hotplug':
    'o KubeVirt não tem ligado nenhum dos feature gates DeclarativeHotplugVolumes e HotplugVolumes',
  'capability.no_network_filters':
    'o cluster não tem MultiNetworkPolicy, que filtra em redes além da própria',
  'capability.no_nmstate':
    'o cluster não tem NMState, por isso o operador tem de criar a bridge sobre o uplink em cada host',
  'capability.no_kubevirt': 'o KubeVirt não está instalado no cluster',
  'capability.kubevirt_silent': 'o KubeVirt está instalado, mas a API dele não responde',
  'capability.kubevirt_unready': 'o KubeVirt não está pronto: a instalação está em {phase}',
  'capability.guest_state_unread': 'não é conhecido: o Berth não pode ler as configurações do KubeVirt, que dizem onde o estado do firmware e do TPM das VMs é guardado',
  'capability.no_state_class':
    'o KubeVirt não cita vmStateStorageClass para o que firmware e TPM das VMs guardam',
  'capability.no_vm_snapshots': 'este KubeVirt não tem snapshots de VM',
  'capability.no_volume_snapshots':
    'o cluster não tem snapshots de volume: CRDs e controlador não estão instalados',
  'capability.no_snapshot_classes': 'o cluster não tem VolumeSnapshotClass',
  'capability.no_imports': 'a CDI, que importa imagens de disco, não está instalada no cluster',
  'capability.cdi_unready': 'a CDI não está pronta: a instalação está em {phase}',
  'capability.no_multus': 'o Multus não está instalado no cluster, por isso VMs têm uma rede só',
  'capability.no_admission_policies':
    'as políticas de admissão que mantêm VMs fora de redes de outros tenants não estão no cluster: precisam do Kubernetes 1.30, do direito de gravá-las e, depois do primeiro início, de um minuto',
  'capability.no_driver': '{name} não está instalado no cluster',
  'capability.gate_off':
    '{what} estão desligados: o KubeVirt lista o feature gate {gate} como desativado',
  'capability.gate_missing':
    '{what} ficam desligados nesta versão do KubeVirt até que o feature gate {gate} seja listado',
  'capability.what.vm_snapshots': 'snapshots de VM',
  'capability.what.vm_exports': 'exportações de VM',
  'capability.nics_version':
    'placas de rede entram em VMs em execução e saem delas a partir do KubeVirt 1.4',
  'capability.nics_no_migration':
    'o KubeVirt não move VMs por uma placa nova: workloadUpdateMethods não lista LiveMigrate',
  'capability.nics_one_node':
    'o cluster tem um nó para VMs, e uma VM em execução recebe uma placa ao mudar para outro',
  'capability.right_missing': 'o Berth não tem o direito de {verb} {resource} no cluster',
  'capability.account_lacks': '{user} não tem o direito de {verb} {resource} no cluster',
  'capability.untold': 'O cluster ainda não disse o que pode fazer; tente de novo em um momento.',
  'capability.untold_now': 'O cluster ainda não informou o que suporta; o Berth tenta de novo em segundos.',
}
