/** `npm run -s example -- NAME`: runs one of the examples. */
const NAMES = ["01-plain-functions", "02-promises", "03-layers", "04-postgres-and-model"]

const name = process.argv[2] ?? "--help"
if (NAMES.includes(name)) await import(`./${name}.js`)
else {
  const help = name === "--help"
  const text = `Usage: npm run -s example -- NAME\n\n  ${NAMES.join("\n  ")}`
  if (help) console.log(text)
  else console.error(`there is no example ${JSON.stringify(name)}\n\n${text}`)
  process.exitCode = help ? 0 : 2
}
