/** Returns why the server would refuse the action now; null when it would not. */
export const refusalOf = <Action extends string>(
  actions: readonly { action: Action; refusal: string | null }[] | undefined,
  action: NoInfer<Action>,
): string | null => actions?.find((each) => each.action === action)?.refusal ?? null
