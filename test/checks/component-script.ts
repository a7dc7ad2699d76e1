const blocks = /^<script\b[^>]*>(\n[^]*?)^<\/script>/gm

/** Returns the scripts of a component on their own lines. All other lines are empty. */
export function componentScript(component: string): string {
  const blank = (text: string) => text.replace(/[^\n]/g, '')
  let script = ''
  let end = 0
  for (const { 0: block, 1: code = '', index } of component.matchAll(blocks)) {
    const start = index + block.indexOf('\n')
    script += blank(component.slice(end, start)) + code
    end = start + code.length
  }
  return script
}
