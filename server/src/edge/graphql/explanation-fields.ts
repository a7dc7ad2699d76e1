/** The options of the fields that every explanation of an object has. */
export const explanationFields = {
  code: { description: 'The kind of the problem. Clients branch on it.' },
  summary: { description: 'The problem as a sentence.' },
  nextStep: { description: 'The remedy as a sentence.' },
  whoCanFix: { description: 'Tells who can apply the remedy.' },
} as const
