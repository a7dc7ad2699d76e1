import tailwindcss from '@tailwindcss/vite'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import { firstLoad } from './first-load.ts'

// Everything is served by Berth from one origin; nothing may be inlined as data: because the page's CSP forbids it.
export default defineConfig({
  plugins: [vue(), tailwindcss(), firstLoad()],
  define: { __VUE_OPTIONS_API__: 'false', __VUE_PROD_DEVTOOLS__: 'false' },
  build: {
    target: ['chrome125', 'firefox128', 'safari18'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    // Left alone, what pages share falls into a hundred files of a few hundred bytes, which compress badly and travel one by one.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'vue', test: /node_modules\/@vue\//, tags: ['$initial'], priority: 3 },
            { name: 'start', tags: ['$initial'], priority: 2 },
            // What only dialogs, menus and tabs need comes with the first one that is opened.
            { name: 'form', test: /valibot|\/src\/composables\/(form|fields)\./, priority: 1 },
            { name: 'tabs', test: /reka-ui\/dist\/(Collection|ConfigProvider|Presence|Primitive|RovingFocus|Tabs|shared)\//, priority: 1 },
            { name: 'dialog', test: /\/src\/(ui\/Ui(Confirm)?Dialog|components\/(Form|Removal)Dialog)|reka-ui|floating-ui/, priority: 1 },
            { name: 'kit', test: /^(?!.*(reka-ui|floating-ui|Dialog|Drawer|MenuList|UiTabs))/, minShareCount: 3 },
          ],
        },
      },
    },
  },
})
