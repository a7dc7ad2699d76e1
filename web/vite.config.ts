import tailwindcss from '@tailwindcss/vite'
import vue from '@vitejs/plugin-vue'
import { type Rolldown, defineConfig } from 'vite'
import { firstLoad } from './first-load.ts'

// A library of which pages with an editor use what others only name in passing.
const isOfFew = (id: string): boolean => /\/src\/pages\/|\/node_modules\/graphql\//.test(id)

/**
 * What the page of machines imports, or what it imports does, and so on; and of the kit the one
 * part that the playground needs.
 */
function listedWith(
  id: string,
  graph: Pick<Rolldown.PluginContext, 'getModuleInfo'>,
): string | null {
  if (isOfFew(id)) return null
  if (id.includes('/src/ui/UiSentence.vue')) return 'list'
  const seen = new Set([id])
  for (const each of seen) {
    if (each.endsWith('/VmsPage.vue')) return 'list'
    const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(each) ?? {}
    for (const importer of importers) if (!dynamicImporters.includes(importer)) seen.add(importer)
  }
  return null
}

// Everything is served by Berth from one origin; nothing may be inlined as data: because the page's
// CSP forbids it.
export default defineConfig({
  plugins: [vue(), tailwindcss(), firstLoad()],
  define: { __VUE_OPTIONS_API__: 'false', __VUE_PROD_DEVTOOLS__: 'false' },
  build: {
    target: ['chrome125', 'firefox128', 'safari18'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    // Left alone, what pages share falls into a hundred files of a few hundred bytes, which
    // compress badly and travel one by one.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'vue', test: /node_modules\/@vue\//, tags: ['$initial'], priority: 3 },
            { name: 'start', tags: ['$initial'], priority: 2 },
            // What only dialogs, menus and tabs need comes with the first one that is opened.
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
            // What machines are listed with comes by itself, for most who open the console open
            // that page.
            { name: listedWith, priority: 1 },
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
