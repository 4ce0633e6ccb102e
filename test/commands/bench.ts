import { pipelineFigure } from "./bench/Pipeline.ts"
import { type Reading, read } from "./bench/Ratio.ts"
import { rehydrationFigure } from "./bench/Rehydration.ts"
import { type Command, progress, requestOf, table } from "./Command.ts"

const command: Command = {
  name: "bench",
  summary:
    "Measures what a step costs, as ratios of medians of two things that take turns in this process. A ratio over its\nbound is measured again, at most three times in all, since machines are noisy; the best one counts.",
  options: {},
  exits: "Ends with 1 when a ratio is over its bound, with 2 on a mistake in the options.",
}

const readRehydration = async (): Promise<Reading> => {
  const { close, ...figure } = await rehydrationFigure()
  try {
    return await read(figure)
  } finally {
    await close()
  }
}

const milliseconds = (value: number | undefined): string => `${(value ?? Number.NaN).toFixed(2)} ms`

const print = (readings: ReadonlyArray<Reading>): void => {
  const rows = readings.flatMap(({ name, bound, holds, attempts }) =>
    attempts.map(({ measured, yardstick, ratio }, i) => [
      i === 0 ? (holds ? "holds" : "MISSED") : "",
      ratio.toFixed(3),
      bound.toFixed(1),
      milliseconds(measured),
      milliseconds(yardstick),
      i === 0 ? name : `  again, attempt ${i + 1}`,
    ]),
  )
  console.log(table([["", "ratio", "bound", "this", "beside", "what"], ...rows]))
}

const main = async (): Promise<void> => {
  const { json } = requestOf(command)
  progress("the pure pipeline")
  const pipeline = await read(pipelineFigure())
  progress("a step on a long thread")
  const readings = [pipeline, await readRehydration()]
  progress("")
  print(readings)
  const missed = readings.filter(({ holds }) => !holds).length
  console.log(
    `\n${readings.length} ratios, the best of at most three attempts each: ${missed} over their bounds`,
  )
  if (json) console.log(JSON.stringify({ command: "bench", missed, readings }))
  process.exitCode = missed > 0 ? 1 : 0
}

await main()
