export const offering = {
  'offering.name_taken': 'A service offering named {name} exists already; choose another name.',
  'offering.name_taken_meanwhile': 'A service offering with this name exists already; choose another name.',
} as const
