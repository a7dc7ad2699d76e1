import { type GuestVmi } from '../guest.ts'
import { type Link } from './links.ts'
import { type System } from './systems.ts'

interface Boot {
  vmi: GuestVmi
  system: System
  hostname: string
  links: readonly Link[]
  /** The output lines of cloud-init. */
  cloudInit: readonly string[]
}

/** The serial output of a booting guest, from the firmware to the line before the login prompt. */
export function bootLines(boot: Boot): string[] {
  if (boot.system.family === 'windows') return windowsLines(boot)
  const kernel = stamped(kernelMessages(boot))
  return ['', 'SeaBIOS (version 1.17.0)', 'Booting from Hard Disk...', ...kernel, ...services(boot)]
}

/** The kernel's own log, which `dmesg` prints. */
export const kernelLines = (boot: Boot): string[] =>
  boot.system.family === 'windows' ? [] : stamped(kernelMessages(boot))

const stamped = (messages: readonly string[]): string[] =>
  messages.map(
    (message, index) =>
      `[${(index < 12 ? 0 : (index - 12) * 0.037 + 0.104).toFixed(6).padStart(12)}] ${message}`,
  )

function kernelMessages({ vmi, system, links }: Boot): string[] {
  const memoryKib = Math.floor(vmi.memoryBytes / 1024)
  return [
    `Linux version ${system.kernel} (builder@${system.id}) ${system.kernelVersion}`,
    `Command line: BOOT_IMAGE=/boot/vmlinuz-${system.kernel} root=/dev/vda1 ro console=tty1 console=ttyS0`,
    'BIOS-provided physical RAM map:',
    'BIOS-e820: [mem 0x0000000000000000-0x000000000009fbff] usable',
    `BIOS-e820: [mem 0x0000000000100000-0x${(vmi.memoryBytes - 1).toString(16).padStart(16, '0')}] usable`,
    'NX (Execute Disable) protection: active',
    'SMBIOS 2.8 present.',
    'DMI: KubeVirt None/RHEL, BIOS 1.17.0',
    'Hypervisor detected: KVM',
    'kvm-clock: Using msrs 4b564d01 and 4b564d00',
    'tsc: Detected 2394.374 MHz processor',
    `Memory: ${Math.floor(memoryKib * 0.94)}K/${memoryKib}K available`,
    'rcu: Hierarchical RCU implementation.',
    'Console: colour VGA+ 80x25',
    'printk: legacy console [ttyS0] enabled',
    `smpboot: Allowing ${vmi.cpus} CPUs, 0 hotplug CPUs`,
    ...Array.from(
      { length: vmi.cpus - 1 },
      (_none, index) => `smpboot: Booting Node 0 Processor ${index + 1}`,
    ),
    `smp: Brought up 1 node, ${vmi.cpus} CPU${vmi.cpus === 1 ? '' : 's'}`,
    'devtmpfs: initialized',
    'PCI: Using configuration type 1 for base access',
    'ACPI: PM-Timer IO Port: 0x608',
    'SCSI subsystem initialized',
    'NET: Registered PF_INET protocol family',
    'Serial: 8250/16550 driver, 4 ports, IRQ sharing enabled',
    ...vmi.disks.map(({ target, bytes }) =>
      target.startsWith('vd')
        ? `virtio_blk: [${target}] ${Math.floor(bytes / 512)} 512-byte logical blocks`
        : `sd 0:0:0:0: [${target}] ${Math.floor(bytes / 512)} 512-byte logical blocks`,
    ),
    ' vda: vda1',
    ...links.map(({ name, mac }) => `virtio_net: ${name}: ${mac}`),
    'rtc_cmos 00:03: setting system clock',
    'Freeing unused kernel image (initmem) memory: 3560K',
    'Run /init as init process',
    'EXT4-fs (vda1): mounted filesystem with ordered data mode',
    'random: crng init done',
  ]
}

const ok = (what: string): string => `[\u001b[0;32m  OK  \u001b[0m] ${what}`

function services({ system, hostname, cloudInit }: Boot): string[] {
  if (system.family !== 'systemd') return openrcServices({ system, hostname, cloudInit })
  return [
    `systemd[1]: Detected virtualization kvm.`,
    `systemd[1]: Hostname set to <${hostname.split('.')[0] ?? ''}>.`,
    '',
    `Welcome to ${system.prettyName}!`,
    '',
    ...[
      'Created slice system-getty.slice.',
      'Listening on Journal Socket.',
      'Mounted /dev/hugepages.',
      'Started Journal Service.',
    ].map(ok),
    ...[
      'Finished Load Kernel Modules.',
      'Finished Remount Root and Kernel File Systems.',
      'Finished Coldplug All udev Devices.',
    ].map(ok),
    ...[
      'Reached target Local File Systems.',
      'Finished Create Volatile Files and Directories.',
    ].map(ok),
    ...cloudInit.slice(0, 1),
    ...[
      'Finished cloud-init-local.service - Initial cloud-init job (pre-networking).',
      'Reached target Preparation for Network.',
    ].map(ok),
    ...[
      'Started Network Manager.',
      'Reached target Network.',
      'Finished cloud-init.service - Initial cloud-init job.',
    ].map(ok),
    ...[
      'Reached target Network is Online.',
      'Reached target Basic System.',
      'Started D-Bus System Message Bus.',
    ].map(ok),
    ...[
      'Started OpenSSH server daemon.',
      'Started QEMU Guest Agent.',
      'Started Getty on tty1.',
      'Started Serial Getty on ttyS0.',
    ].map(ok),
    ...['Reached target Login Prompts.', 'Reached target Multi-User System.'].map(ok),
    ...cloudInit.slice(1),
  ]
}

function openrcServices({
  system,
  hostname,
  cloudInit,
}: Pick<Boot, 'system' | 'hostname' | 'cloudInit'>): string[] {
  const started = (what: string): string =>
    system.family === 'busybox' ? `Starting ${what}: OK` : ` * Starting ${what} ... [ ok ]`
  const first =
    system.family === 'busybox' ? 'info: initramfs: up' : '   OpenRC is starting up Linux (x86_64)'
  const names = [
    'syslogd',
    'klogd',
    'networking',
    'crond',
    'sshd',
    ...(system.hasAgent ? ['qemu-guest-agent'] : []),
  ]
  return [
    first,
    ` * Setting hostname to ${hostname} ...`,
    ...cloudInit.slice(0, 1),
    ...names.map(started),
    ...cloudInit.slice(1),
  ]
}

function windowsLines({ hostname }: Boot): string[] {
  return [
    '',
    'Computer is booting, SAC started and initialized.',
    '',
    'Use the "ch -?" command for information about using channels.',
    'Use the "?" command for general help.',
    '',
    `EVENT:   The CMD command is now available. (${hostname})`,
    '',
  ]
}

/** The serial output of a shutdown. */
export function downLines(system: System, how: 'poweroff' | 'reboot'): string[] {
  const last = how === 'reboot' ? 'reboot: Restarting system' : 'reboot: Power down'
  if (system.family === 'windows') return ['EVENT: The system is shutting down.']
  if (system.family !== 'systemd')
    return [
      'The system is going down NOW!',
      'Sent SIGTERM to all processes',
      'Requesting system ' + how,
      last,
    ]
  const stopped = [
    'Stopped target Multi-User System.',
    'Stopped QEMU Guest Agent.',
    'Stopped OpenSSH server daemon.',
    'Stopped Network Manager.',
  ]
  const reached = [
    'Unmounted /boot.',
    'Reached target Unmount All Filesystems.',
    `Reached target System ${how === 'reboot' ? 'Reboot' : 'Power Off'}.`,
  ]
  return ['', ...[...stopped, ...reached].map(ok), `[${(60).toFixed(6).padStart(12)}] ${last}`]
}

/** The serial output of a crash. */
export const panicLines: readonly string[] = [
  'sysrq: Trigger a crash',
  'Kernel panic - not syncing: sysrq triggered crash',
  'CPU: 0 PID: 588 Comm: bash Not tainted',
  '---[ end Kernel panic - not syncing: sysrq triggered crash ]---',
]
