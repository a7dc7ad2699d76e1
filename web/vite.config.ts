import tailwindcss from '@tailwindcss/vite'
import vue from '@vitejs/plugin-vue'
import { type Rolldown, defineConfig } from 'vite'
import { firstLoad } from './first-load.ts'

// Pages use most of the graphql library only in their editor, so it stays out of the shared chunks.
const isPageOnly = (id: string): boolean => /\/src\/pages\/|\/node_modules\/graphql\//.test(id)

/**
 * Assigns everything that the list of VMs imports, directly or not, to the chunk `list`. UiSentence
 * belongs to it too, because the playground needs it as well.
 */
function listedWith(
  id: string,
  graph: Pick<Rolldown.PluginContext, 'getModuleInfo'>,
): string | null {
  if (isPageOnly(id)) return null
  if (id.includes('/src/ui/UiSentence.vue')) return 'list'
  const importersOfId = new Set([id])
  for (const each of importersOfId) {
    if (each.endsWith('/VmsPage.vue')) return 'list'
    const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(each) ?? {}
    for (const importer of importers)
      if (!dynamicImporters.includes(importer)) importersOfId.add(importer)
  }
  return null
}

const ofMenu = /\/src\/(app\/(AppNav|TenantSwitch)\.vue|app\/nav\.ts|pages\/[\w-]+\/navigation\.ts)/

/** Assigns the menu and its icons to the chunk `menu`, which is drawn after the first frame. */
function shownInMenu(
  id: string,
  graph: Pick<Rolldown.PluginContext, 'getModuleInfo'>,
): string | null {
  const { importers = [] } = graph.getModuleInfo(id) ?? {}
  const isIcon = id.includes('/@lucide/') && importers.some((importer) => ofMenu.test(importer))
  return isIcon || ofMenu.test(id) ? 'menu' : null
}

// Berth serves everything from one origin. Nothing is inlined as `data:`, because the CSP of the
// page forbids it.
export default defineConfig({
  plugins: [vue(), tailwindcss(), firstLoad()],
  define: { __VUE_OPTIONS_API__: 'false', __VUE_PROD_DEVTOOLS__: 'false' },
  build: {
    target: ['chrome125', 'firefox128', 'safari18'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    // Without these groups, shared code becomes a hundred files of a few hundred bytes, which
    // compress badly and need one request each.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'vue', test: /node_modules\/@vue\//, tags: ['$initial'], priority: 3 },
            { name: 'start', tags: ['$initial'], priority: 2 },
            // The login page and the menu share only the mark.
            { name: 'mark', test: /\/BerthMark\.vue/, priority: 2 },
            // Code that only dialogs, menus and tabs need is loaded when the first one opens.
            { name: 'form', test: /valibot|\/src\/composables\/(form|fields)\./, priority: 1 },
            {
              name: 'tabs',
              test: /reka-ui\/dist\/(Collection|ConfigProvider|Presence|Primitive|RovingFocus|Tabs|shared)\//,
              priority: 1,
            },
            {
              name: 'dialog',
              test: /\/src\/(ui\/dialog\/Ui(Confirm)?Dialog|components\/(Form|Removal)Dialog)|reka-ui|floating-ui/,
              priority: 1,
            },
            // The list of VMs has a chunk of its own, because most users open that page first.
            { name: listedWith, priority: 1 },
            { name: shownInMenu, priority: 1 },
            {
              name: 'kit',
              test: /^(?!.*(reka-ui|floating-ui|Dialog|Drawer|MenuList|UiTabs))/,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
})
