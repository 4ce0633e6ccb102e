/** The second half of the laws, and counting by a real tokenizer. */
import { loadO200k } from "@palimpsest/core/o200k"
import { allLaws, countingLaw } from "@palimpsest/core/testing"
import { runLaws, SECOND_HALF } from "./RunLaws.ts"

runLaws(allLaws.filter(({ number }) => number >= SECOND_HALF))

const byO200k = countingLaw(await loadO200k())
runLaws([{ ...byO200k, title: `${byO200k.title}, by o200k` }])
