/** The kinds of steps that a chat must hold, so that their deaths are tried. */
export const STEPS = [
  "append",
  "edit",
  "flush",
  "fork",
  "lease",
  "open",
  "prune",
  "recall",
  "remove",
  "reset",
  "rewind",
  "summary by hand",
  "summary by the model",
  "summary in vain",
] as const
