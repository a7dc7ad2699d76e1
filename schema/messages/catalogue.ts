import { type en } from './en/en.ts'
import { type texts } from './pt-BR/console/texts.ts'

/** The texts of a message whose wording depends on its number `n`, by the plural categories of CLDR. */
export interface Forms {
  readonly zero?: string
  readonly one?: string
  readonly two?: string
  readonly few?: string
  readonly many?: string
  readonly other: string
}

export type Entry = string | Forms

type English = typeof en
export type MessageKey = keyof English

/** A language is complete when it has an entry for each English one. */
export type Translation<Part> = Readonly<Record<keyof Part, Entry>>
export type Catalogue = Translation<English>

type SlotsOf<Text> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? Slot | SlotsOf<Rest>
  : never
type SlotsIn<Text> = Text extends { other: infer Other } ? SlotsOf<Other> | 'n' : SlotsOf<Text>

/** A message as it travels. A parameter may be a message in turn, or a list. */
export interface MessageJson {
  readonly key: string
  readonly params: Params
}
export type Params = Readonly<Record<string, Param>>
export type Param = string | number | MessageJson | readonly Param[]

/** One language, by its BCP 47 tag. */
export interface Locale {
  readonly language: string
  readonly catalogue: Readonly<Record<string, Entry>>
}

/**
 * What the console can say: the English sentence itself. A sentence without its Portuguese does not
 * compile.
 */
export type ConsoleMessage = keyof typeof texts

/** One folder of this directory: the sentences of the server and those of the console. */
export interface ConsoleLocale extends Locale {
  readonly catalogue: Catalogue
  readonly texts: Readonly<Record<ConsoleMessage, string>>
  /** Words that the console derives from codes, such as `operation.create_vm`. */
  readonly codes: Readonly<Record<string, string>>
}

/** The parameters that a message needs: one for each slot, and `n` where it has forms. */
export type ParamsOf<Key extends MessageKey> = Readonly<
  Record<Exclude<SlotsIn<English[Key]>, 'n'>, Param> &
    Record<Extract<SlotsIn<English[Key]>, 'n'>, number>
>
