/** noVNC has no types. These are the parts that the console uses. */
declare module '@novnc/novnc' {
  export default class RFB extends EventTarget {
    constructor(target: HTMLElement, channel: WebSocket, options?: { shared?: boolean })
    scaleViewport: boolean
    background: string
    focus(): void
    disconnect(): void
    sendKey(keysym: number, code: string | null, down?: boolean): void
    sendCtrlAltDel(): void
  }
}
