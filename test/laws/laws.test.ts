/** The first half of the laws. */
import { allLaws } from "@palimpsest/core/testing"
import { runLaws, SECOND_HALF } from "./RunLaws.ts"

runLaws(allLaws.filter(({ number }) => number < SECOND_HALF))
