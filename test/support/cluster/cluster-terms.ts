/** Terms that a tenant must never read: kinds and components of the cluster, nodes, raw errors. */
export const clusterWords =
  /\b(pods?|pvcs?|persistentvolume\w*|claims?|namespaces?|nodes?|node-\d+|vmis?|virtualmachine\w*|kubevirt|kubernetes|k8s|cdi|datavolumes?|virt-\w+|importer\w*|launcher\w*|containers?|webhooks?|libvirt|qemu|multus|taints?|affinity|csi|crd|https?|x509|tcp|ns\d)\b/i
