import type { ShownElsewhere } from "./RuleCase.ts"

const file = "test/formats/thinking.test.ts"

/** Rules of Anthropic's Messages that a history shows, and no single request of it. */
export const anthropicHistories: ReadonlyArray<ShownElsewhere> = [
  {
    rule: "AN13",
    says: "thinking of a turn that is over may be left out, whole",
    file,
    accepts: "AN13: leaves out whole what it leaves out, and touches nothing else",
    refuses: "AN11: sends signed reasoning unaltered or not at all, for any history and target",
  },
  {
    rule: "AN16",
    says: "a signature holds for a family of models, and of newer ones for all that stands before it",
    file,
    accepts: "AN16 AN17: sends what was signed, as it came, when nothing before it has changed",
    refuses: "AN16: for a model that binds signatures, nothing signed is sent behind an edit",
  },
  {
    rule: "AN17",
    says: "behind an edit no thinking is sent, and a tool loop that lost its own goes on without",
    file,
    accepts: "AN16 AN17: sends what was signed, as it came, when nothing before it has changed",
    refuses: "AN17: turns thinking off when the loop that goes on has lost its reasoning",
  },
  {
    rule: "AN24",
    says: "only a slice that could be sent is counted",
    file: "test/formats/anthropic-slices.test.ts",
    accepts: "AN24 accepts",
    refuses: "AN24 refuses",
  },
]
