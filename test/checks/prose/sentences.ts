import { fragmentOpeners, vagueActors } from './vocabulary.ts'
import { pluralNouns, titleVerbs } from './verbs.ts'

const longestSentence = 25
const opener = new RegExp(`^(${fragmentOpeners.join('|')})\\b(?!-| means\\b)`)
const vague = new RegExp(`\\b(${vagueActors.join('|')})\\b`, 'i')

/** Why the prose is hard to read; empty when it is plain. */
export function proseProblems(text: string): string[] {
  const plain = withoutCode(text)
  return [...openerProblems(plain), ...actorProblems(plain), ...lengthProblems(plain)]
}

/** Code, addresses and quoted texts count as one word each and are not judged. */
export const withoutCode = (text: string): string =>
  text
    .replace(/```[^]*?```/g, 'Code.')
    .replace(/`[^`]*`/g, 'code')
    .replace(/https?:\/\/\S+/g, 'address')
    .replace(/“[^”]*”|"[^"\n]*"/g, 'quote')

const openerProblems = (text: string): string[] => {
  const word = opener.exec(text.trim())?.[1]
  return word ? [`begins with "${word}": begin with the thing that the sentence is on`] : []
}

export const actorProblems = (text: string): string[] => {
  const word = vague.exec(text)?.[1]
  return word ? [`"${word}" hides the actor: name the client, user, replica or component`] : []
}

function lengthProblems(text: string): string[] {
  return sentencesOf(text)
    .map((sentence) => ({ sentence, words: sentence.split(/\s+/).filter(hasLetter).length }))
    .filter(({ words }) => words > longestSentence)
    .map(
      ({ sentence, words }) =>
        `a sentence has ${words} words, ${longestSentence} is the limit: "${sentence.slice(0, 40)}…"`,
    )
}

const hasLetter = (word: string): boolean => /[\p{L}\d]/u.test(word)

/** Items of a list, paragraphs and tags (`@param`) end a sentence as a full stop does. */
const sentencesOf = (text: string): string[] =>
  text
    .split(/\n\s*\n|\n\s*(?=[-*•|]\s|\d+\.\s|@\w)/)
    .flatMap((paragraph) => paragraph.replace(/\s+/g, ' ').split(/(?<=[.!?:;])["”)]?\s+/))
    .filter((sentence) => sentence !== '')

const subjectless =
  /^(and|but|or|it|they|its|their|in|on|at|to|for|with|without|after|before|if|when|while|until|unless|into|under|behind|not|then|still|only|even|both|neither|because)\b/i

/** Why a title cannot stand alone in a failure report; empty when it can. */
export function titleProblems(title: string): string[] {
  const plain = withoutCode(title)
  return [...openerProblems(capitalised(plain)), ...actorProblems(plain), ...formProblems(plain)]
}

/** A title has the form `<subject> <verb> <result>`; an id such as `F-21:` may precede it. */
function formProblems(title: string): string[] {
  const [first = '', ...rest] = title
    .replace(/^[A-Z]+-\d+:\s*/, '')
    .split(/[\s,:;]+/)
    .filter((word) => word !== '')
  if (subjectless.test(first))
    return ['begins without a subject: write "<subject> <verb> <result>"']
  if (titleVerbs.has(first) && !pluralNouns.has(first))
    return [`begins with the verb "${first}": name the subject first`]
  return rest.some((word) => titleVerbs.has(word))
    ? []
    : ['has no verb that verbs.ts knows: write "<subject> <verb> <result>"']
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
