export const memo = {
  'noun.memo': 'memo',
  'memo.name_taken': 'A memo named {name} exists already; choose another name.',
  'memo.name_taken_meanwhile': 'A memo with this name exists already; choose another name.',
} as const
