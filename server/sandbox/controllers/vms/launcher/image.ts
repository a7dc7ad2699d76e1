/** The image of all containers in a launcher pod, the pod in which KubeVirt runs a guest. */
export const launcherImage = 'quay.io/kubevirt/virt-launcher:v1.9.0-rc.2'

/** The user and group of all containers in a launcher pod. */
export const launcherUser = 107

/** The security context of the sidecars. */
export const confined = {
  runAsUser: launcherUser,
  runAsNonRoot: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
}

/** Paths in the compute container of a launcher pod. */
export const folders = {
  run: '/var/run',
  private: '/var/run/kubevirt-private',
  shared: '/var/run/kubevirt',
  ephemeralDisks: '/var/run/kubevirt-ephemeral-disks',
  images: '/var/run/kubevirt-image-volume',
  kernel: '/var/run/kubevirt-kernel-boot',
}
