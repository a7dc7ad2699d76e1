import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { needsGuaranteedQos } from './guaranteed.ts'
import { type LauncherContext } from './context.ts'
import { confined, folders, launcherImage } from './image.ts'

/**
 * The sidecar of a launcher pod that writes the guest's serial console to the logs of the pod, if
 * serial console logging is on.
 */
export function consoleLog(vmi: KubeObject, context: LauncherContext): JsonMap[] {
  if (!isLogged(vmi, context)) return []
  return [
    {
      name: 'guest-console-log',
      image: launcherImage,
      imagePullPolicy: 'IfNotPresent',
      command: ['/usr/bin/virt-tail'],
      args: ['--logfile', `${folders.private}/${vmi.metadata.uid ?? ''}/virt-serial0-log`],
      env: [
        { name: 'VIRT_LAUNCHER_LOG_VERBOSITY', value: vmi.metadata.labels?.logVerbosity ?? '2' },
      ],
      resources: resourcesOf(vmi),
      restartPolicy: 'Always',
      securityContext: confined,
      volumeMounts: [{ name: 'private', mountPath: folders.private, readOnly: true }],
    },
  ]
}

function isLogged(vmi: KubeObject, { configuration }: LauncherContext): boolean {
  const { autoattachSerialConsole, logSerialConsole } = read.map(
    read.at(vmi.spec, 'domain', 'devices'),
  )
  if (autoattachSerialConsole === false) return false
  if (typeof logSerialConsole === 'boolean') return logSerialConsole
  return read.at(configuration.virtualMachineOptions, 'disableSerialConsoleLog') === undefined
}

function resourcesOf(vmi: KubeObject): JsonMap {
  const limits = { cpu: '15m', memory: '60M' }
  return { limits, requests: needsGuaranteedQos(vmi) ? limits : { cpu: '5m', memory: '35M' } }
}
