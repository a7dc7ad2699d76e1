/** Memory given in MiB, in the unit a person would say: `512 MiB`, `8 GiB`, `1.5 GiB`. */
export function memory(mi: number): string {
  if (mi < 1024) return `${mi} MiB`
  const gi = mi / 1024
  return `${Number.isInteger(gi) ? gi : Number(gi.toFixed(2))} GiB`
}
