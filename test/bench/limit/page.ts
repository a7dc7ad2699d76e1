import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from '../product/bundle.ts'

const vue = join(
  createRequire(join(root, 'web', 'package.json')).resolve('vue/package.json'),
  '..',
  'dist',
  'vue.runtime.esm-browser.prod.js',
)

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Virtual machines</title></head><body><div id="app"></div><script type="module">
import { createApp, h, ref } from '/vue.js'
const rows = ref([])
const cells = (vm) => [vm.name, vm.state, vm.nics[0]?.address ?? vm.ip, vm.cpu, vm.memoryMi, vm.templateName, vm.createdAt]
createApp({ render: () => [h('h1', 'Virtual machines'), h('table', h('tbody', rows.value.map((vm) => h('tr', { key: vm.id }, cells(vm).map((cell) => h('td', cell))))))] }).mount('#app')
const answer = await fetch('/graph/vms?50', { headers: { 'x-tenant': location.search.slice(1) } })
rows.value = (await answer.json()).data.vms.nodes
</script></body></html>`

interface PageFile {
  type: string
  text: string
}

/**
 * The smallest page that shows the same VMs with the same framework: one script, one request, one
 * table.
 */
export const pageFiles: Readonly<Record<string, () => PageFile>> = {
  '/': () => ({ type: 'text/html', text: page }),
  '/vue.js': () => ({ type: 'text/javascript', text: readFileSync(vue, 'utf8') }),
}
