/** `npm run -s example -- NAME`: runs one of the examples. */
const EXAMPLES = {
  "01-plain-functions": "the pure functions by hand, with your own storage",
  "02-promises": "an agent's loop on an embedded Postgres, without writing Effect",
  "03-layers": "Effect layers chosen one by one, with facts and a summariser",
  "04-postgres-and-model": "your Postgres and your model, from the environment",
  "05-recall-tool": "the recall tool in a loop over Chat Completions, with a scripted model",
}

const list = Object.entries(EXAMPLES).map(([name, says]) => `  ${name.padEnd(24)}${says}`)
const text = ["Usage: npm run -s example -- NAME, or how a NAME begins", "", ...list].join("\n")

const given = process.argv[2] ?? "--help"
const fitting = Object.keys(EXAMPLES).filter((name) => name.startsWith(given))
const [name, second] = fitting
if (given === "--help") console.log(text)
else if (name !== undefined && second === undefined) await import(`./${name}.js`)
else {
  const why = fitting.length > 1 ? `${fitting.length} examples begin with` : "there is no example"
  console.error(`${text}\n\n${why} ${JSON.stringify(given)}. See --help.`)
  process.exitCode = 2
}
