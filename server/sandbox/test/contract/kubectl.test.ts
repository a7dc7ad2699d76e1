import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kubectl, findKubectl, kubectlOf } from '../../../../test/support/sandbox/kubectl.ts'
import {
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'

/*
 * Runs kubectl against the sandbox. It covers what clients need beyond the resources: tables, YAML,
 * OpenAPI, access reviews, logs and protobuf.
 */
const program = findKubectl()
const client = program === null ? test.skip : test
const title = (what: string): string =>
  program === null ? `skipped because kubectl is not installed: ${what}` : what

let sandbox: RunningSandbox
let kubectl: Kubectl

beforeAll(async () => {
  if (program === null) return
  sandbox = await startSandboxProcess(undefined, { pace: 0.1 })
  kubectl = await kubectlOf(program, join(sandbox.folder, 'kubeconfig'))
  await kubectl.do('apply -f -', world)
  await kubectl.do('wait -n lab vm/web --for=condition=Ready --timeout=30s')
}, 300_000)
afterAll(() => sandbox?.stop())

const world = `
apiVersion: v1
kind: Namespace
metadata: {name: lab, labels: {team: yes-team}}
---
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: web, namespace: lab, labels: {tier: front}}
spec:
  runStrategy: Always
  template:
    metadata:
      labels: {tier: front}
    spec:
      domain:
        memory: {guest: 1Gi}
        devices:
          disks: [{name: root, disk: {bus: virtio}}]
          interfaces: [{name: default, masquerade: {}}]
      networks: [{name: default, pod: {}}]
      volumes:
      - name: root
        containerDisk: {image: "quay.io/containerdisks/fedora:42"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: lab}
data:
  size: "1"
  text: |
    two
    lines
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: disk, namespace: lab}
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
---
apiVersion: cdi.kubevirt.io/v1beta1
kind: DataVolume
metadata: {name: image, namespace: lab}
spec:
  source: {blank: {}}
  storage: {resources: {requests: {storage: 1Gi}}}
`

const settings = (size: number): string =>
  `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings", "namespace": "lab"}, "data": {"size": "${size}"}}`

const launcher = async (): Promise<string> =>
  (await kubectl.do('get pods -n lab -l kubevirt.io=virt-launcher -o name')).trim()

const columnsOf = (table: string): string[] =>
  (table.split('\n')[0] ?? '').split(/\s{2,}|\s+(?=[A-Z])/).filter((name) => name !== '')

client(title('kubectl lists show the columns of a real cluster'), async () => {
  expect(columnsOf(await kubectl.do('get vm -n lab'))).toEqual(['NAME', 'AGE', 'STATUS', 'READY'])
  expect(await kubectl.do('get vm -n lab --no-headers')).toMatch(/^web\s+\d+s\s+Running\s+True\s*$/)
  expect(columnsOf(await kubectl.do('get pods -A'))).toEqual([
    'NAMESPACE',
    'NAME',
    'READY',
    'STATUS',
    'RESTARTS',
    'AGE',
  ])
  expect(await kubectl.do('get pods -n lab -o wide')).toMatch(
    /virt-launcher-web-\w+\s+2\/2\s+Running\s+0\s+\d+s\s+[\d.]+\s+node-\d/,
  )
  expect(await kubectl.do('get pvc disk -n lab')).toMatch(
    /disk\s+Bound\s+pvc-\S+\s+1Gi\s+RWO\s+fast/,
  )
  expect(await kubectl.do('get sc')).toMatch(
    /fast \(default\)\s+csi\.example\.com\s+Delete\s+Immediate\s+true/,
  )
  expect(await kubectl.do('get nodes')).toMatch(/node-0\s+Ready\s+<none>\s+\S+\s+v1\.36/)
  expect(await kubectl.do('get ns lab')).toMatch(/lab\s+Active/)
  expect(await kubectl.do('get all -n lab')).toMatch(/virtualmachine\.kubevirt\.io\/web/)
})

client(title('kubectl reads objects as names, YAML, single fields and by label'), async () => {
  expect(await kubectl.do('get vm -n lab -l tier=front -o name')).toBe(
    'virtualmachine.kubevirt.io/web\n',
  )
  expect(await kubectl.do('get vm -n lab -l tier=back -o name')).toBe('')
  expect(await kubectl.do('get cm settings -n lab -o yaml')).toContain('size: "1"')
  expect(await kubectl.do("get cm settings -n lab -o 'jsonpath={.data.text}'")).toBe('two\nlines\n')
  expect(await kubectl.do('get --raw /api/v1/namespaces/lab/configmaps/settings')).toContain(
    '"size":"1"',
  )
})

client.each([
  ['vm/web', /Run Strategy:\s+Always/],
  ['vmi/web', /Phase:\s+Running/],
  ['pvc/disk', /StorageClass:\s+fast/],
  ['datavolume/image', /Phase:\s+\w+/],
  ['namespace/lab', /Status:\s+Active/],
  ['node/node-0', /Kubelet Version:\s+v1\.36/],
])(title('kubectl describes %s'), async (what, pattern) => {
  expect(await kubectl.do(`describe -n lab ${what}`)).toMatch(pattern)
})

client(title('kubectl describes a pod with its containers'), async () => {
  expect(await kubectl.do(`describe -n lab ${await launcher()}`)).toMatch(
    /guest-console-log:[\s\S]*compute:[\s\S]*Ready:\s+True/,
  )
})

client(
  title('a repeated apply changes nothing, and a change is a strategic merge patch'),
  async () => {
    expect(await kubectl.do('apply -f -', world)).not.toMatch(/created|configured/)
    expect(await kubectl.do('apply -f -', settings(2))).toContain('configured')
    expect(await kubectl.do("get cm settings -n lab -o 'jsonpath={.data}'")).toBe('{"size":"2"}')
  },
)

client(title('a server-side apply reports conflicts and can be forced'), async () => {
  await kubectl.do('create ns sides')
  const of = (size: number): string => settings(size).replace('"lab"', '"sides"')
  await kubectl.do('apply --server-side --field-manager=one -f -', of(1))
  const { code, err } = await kubectl.try('apply --server-side --field-manager=two -f -', of(2))
  expect([code, err]).toEqual([1, expect.stringMatching(/conflict with "one"[^\n]*: \.data\.size/)])
  expect(
    await kubectl.do('apply --server-side --field-manager=two --force-conflicts -f -', of(2)),
  ).toContain('serverside-applied')
})

client(title('unknown fields are refused'), async () => {
  const { code, err } = await kubectl.try(
    'create -f -',
    settings(1).replace('"data"', '"nosuch": 1, "data"'),
  )
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/unknown field "(ConfigMap\.|io\.k8s\.api\.core\.v1\.)?nosuch"|nosuch/),
  ])
})

client(title('typed create commands work in each encoding of the client'), async () => {
  await kubectl.do('create ns typed')
  for (const what of [
    'cm c --from-literal=a=b',
    'secret generic s --from-literal=a=b',
    'sa robot',
    'quota q --hard=pods=5',
    'role r --verb=get --resource=pods',
    'rolebinding b --role=r --user=bob',
  ])
    await kubectl.do(`create -n typed ${what}`)
  expect(await kubectl.do("get secret s -n typed -o 'jsonpath={.data.a}'")).toBe('Yg==')
  expect(await kubectl.do('get rolebindings -n typed -o wide')).toMatch(/b\s+Role\/r\s+\d+s\s+bob/)
  expect(await kubectl.do('describe ns typed')).toMatch(/pods\s+\d+\s+5/)
})

client(title('a delete waits for finalizers'), async () => {
  const held = settings(1).replace('"settings"', '"held", "finalizers": ["example.com/hold"]')
  await kubectl.do('create -f -', held)
  const deletion = kubectl.follow('delete cm held -n lab')
  await deletion.until(/deleted/)
  expect(await kubectl.do("get cm held -n lab -o 'jsonpath={.metadata.finalizers}'")).toContain(
    'example.com/hold',
  )
  const gone = kubectl.do('wait -n lab cm/held --for=delete --timeout=30s')
  await kubectl.do(`patch cm held -n lab --type=merge -p '{"metadata":{"finalizers":null}}'`)
  await gone
  expect((await kubectl.try('get cm held -n lab')).err).toContain('not found')
  deletion.stop()
})

client(title('kubectl waits for conditions and fields'), async () => {
  await kubectl.do('wait -n lab vmi/web --for=condition=Ready --timeout=20s')
  if (kubectl.minor >= 23)
    await kubectl.do(
      "wait -n lab vm/web '--for=jsonpath={.status.printableStatus}=Running' --timeout=20s",
    )
})

client(title('a watch shows changes as rows of one table'), async () => {
  const watch = kubectl.follow('get cm -n lab -l watched=yes -w')
  await kubectl.do(
    'create -f -',
    settings(1).replace('"settings"', '"seen", "labels": {"watched": "yes"}'),
  )
  await watch.until(/NAME\s+DATA\s+AGE\nseen\s+1\s+\S+\n/)
  await kubectl.do(`patch cm seen -n lab -p '{"data":{"more":"2"}}'`)
  await watch.until(/\nseen\s+2\s+\S+\n/)
  watch.stop()
  expect(watch.text().match(/NAME/g)).toHaveLength(1)
})

client(
  title('logs are read by container and from the end, and refused for an unknown container'),
  async () => {
    const pod = await launcher()
    const all = await kubectl.do(`logs -n lab ${pod} -c compute`)
    expect(all).not.toBe('')
    expect(await kubectl.do(`logs -n lab ${pod} -c guest-console-log`)).not.toBe('')
    expect(await kubectl.do(`logs -n lab ${pod} -c compute --tail=0`)).toBe('')
    const { code, err } = await kubectl.try(`logs -n lab ${pod} -c nope`)
    expect([code, err]).toEqual([1, expect.stringContaining('container nope is not valid for pod')])
    const following = kubectl.follow(`logs -f -n lab ${pod} -c compute`)
    await following.until(/compute/)
    following.stop()
  },
)

client(title('kubectl checks permissions'), async () => {
  expect(await kubectl.do('auth can-i create vms -n lab')).toBe('yes\n')
  expect(await kubectl.do('auth can-i --list -n lab')).toMatch(/\*\.\*\s+\[\]\s+\[\]\s+\[\*\]/)
})

client.each([
  ['vm', 'spec'],
  ['vm.spec.template.spec.domain', 'devices'],
  ['datavolume.spec', 'source'],
  ['selfsubjectaccessreviews.spec', 'resourceAttributes'],
  ['uploadtokenrequests.spec', 'pvcName'],
  ['configmap', 'binaryData'],
  ['pvc.spec', 'storageClassName'],
  ['vmsnapshot.spec', 'failureDeadline'],
  ['net-attach-def.spec', 'config'],
])(title('kubectl explains %s'), async (what, field) => {
  expect(await kubectl.do(`explain ${what}`)).toMatch(new RegExp(`^ +${field}\\s+<`, 'm'))
})

client(title('discovery lists the served kinds and versions'), async () => {
  expect(await kubectl.do('api-resources')).toMatch(
    /virtualmachines\s+vm,vms\s+(kubevirt\.io\/v1|kubevirt\.io)\s+true\s+VirtualMachine/,
  )
  expect(await kubectl.do('api-versions')).toMatch(/^kubevirt\.io\/v1$/m)
  expect(await kubectl.do('version')).toMatch(/v1\.36/)
  expect(await kubectl.do('get --raw /healthz')).toBe('ok')
})

client(title('kubectl patches, labels, annotates and replaces objects'), async () => {
  await kubectl.do(`patch vm web -n lab --type=merge -p '{"metadata":{"labels":{"x":"y"}}}'`)
  await kubectl.do('label vm web -n lab z=1')
  await kubectl.do('annotate vm web -n lab note=2')
  expect(
    await kubectl.do(
      "get vm web -n lab -o 'jsonpath={.metadata.labels.x}{.metadata.labels.z}{.metadata.annotations.note}'",
    ),
  ).toBe('y12')
  expect(
    (await kubectl.try(`patch vm web -n lab -p '{"metadata":{"labels":{"x":"z"}}}'`)).code,
  ).toBe(1)
  const text = await kubectl.do('get cm kube-root-ca.crt -n lab -o yaml')
  await kubectl.do('replace -f -', text.replace('data:', 'data:\n  edited: "true"'))
  expect(await kubectl.do("get cm kube-root-ca.crt -n lab -o 'jsonpath={.data.edited}'")).toBe(
    'true',
  )
  expect((await kubectl.try('scale vm web -n lab --replicas=2')).code).toBe(1)
})

client(title('kubectl shows the events of an object'), async () => {
  expect(await kubectl.do('get events -n lab --field-selector involvedObject.name=web')).toMatch(
    /LAST SEEN\s+TYPE\s+REASON\s+OBJECT\s+MESSAGE/,
  )
})

client(title('kubectl cordons and uncordons a node'), async () => {
  await kubectl.do('cordon node-2')
  expect(await kubectl.do('get node node-2')).toContain('SchedulingDisabled')
  await kubectl.do('uncordon node-2')
  expect(await kubectl.do('get node node-2')).not.toContain('SchedulingDisabled')
})
