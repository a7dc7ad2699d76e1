import { type Picture } from '../../guest.ts'
import { Keyboard } from './keys.ts'
import { type SimulatedGuest } from '../simulated-guest.ts'
import { TextScreen } from './text-screen.ts'

/** More than one full screen of output. Older output is not visible. */
const replayedBytes = 16 * 1024

/**
 * The display of a simulated guest. It shows the serial console, rendered from the log for each
 * client.
 */
export class MirroredScreen {
  readonly #guest: SimulatedGuest
  readonly #text = new TextScreen()
  readonly #keyboard = new Keyboard()

  constructor(guest: SimulatedGuest) {
    this.#guest = guest
    this.#text.write(guest.log.bytes().subarray(-replayedBytes).toString('utf8'))
  }

  get name(): string {
    return `${this.#guest.vmi.namespace}_${this.#guest.vmi.name}`
  }

  picture(): Picture {
    return this.#text.picture()
  }

  follow({ changed, ended }: { changed(): void; ended(): void }): () => void {
    return this.#guest.log.follow({
      data: (bytes) => {
        this.#text.write(bytes.toString('utf8'))
        changed()
      },
      end: ended,
    })
  }

  key(symbol: number, isDown: boolean): void {
    const typed = this.#keyboard.press(symbol, isDown)
    if (typed !== '') this.#guest.type(Buffer.from(typed))
  }
}
