/** One chart: points of some series over an axis. */
export interface Chart {
  readonly title: string
  readonly x: { readonly label: string; readonly isLog: boolean }
  readonly y: string
  readonly series: ReadonlyArray<{
    readonly name: string
    readonly points: ReadonlyArray<readonly [x: number, y: number]>
  }>
}

const WIDTH = 460
const HEIGHT = 280
const LEFT = 64
const RIGHT = 20
const TOP = 58
const BOTTOM = 46

/** Colours that are told apart on white and on black alike. */
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600; font-size: 13px }
  .axis { stroke: #57606a; fill: none }
  .grid { stroke: #d0d7de; fill: none }
  .s0 { stroke: #0969da; fill: #0969da } .s1 { stroke: #bc4c00; fill: #bc4c00 }
  polyline.s0, polyline.s1 { fill: none; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .axis { stroke: #8b949e } .grid { stroke: #30363d }
    .s0 { stroke: #58a6ff; fill: #58a6ff } .s1 { stroke: #f0883e; fill: #f0883e }
  }`

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const round = (value: number): number => Math.round(value * 10) / 10

/** A step of 1, 2 or 5 times a power of ten that divides a length into at most so many parts. */
const stepOf = (length: number, parts: number): number => {
  const power = 10 ** Math.floor(Math.log10(length / parts))
  return power * ([1, 2, 5, 10].find((factor) => factor * power * parts >= length) ?? 10)
}

const linearTicks = (most: number, parts: number): ReadonlyArray<number> => {
  const step = stepOf(most, parts)
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step)
}

const logTicks = (least: number, most: number): ReadonlyArray<number> => {
  const first = Math.floor(Math.log10(least))
  return Array.from({ length: Math.ceil(Math.log10(most)) - first + 1 }, (_, i) => 10 ** (first + i))
}

const tickText = (value: number): string => {
  if (value >= 1e6) return `${value / 1e6}M`
  return value >= 1e4 ? `${value / 1e3}k` : String(Math.round(value * 1000) / 1000)
}

/** Where values lie along a length of pixels. */
const scaleOf = (ticks: ReadonlyArray<number>, isLog: boolean, length: number) => {
  const at = (value: number) => (isLog ? Math.log10(value) : value)
  const [low, high] = [at(ticks[0] ?? 0), at(ticks.at(-1) ?? 1)]
  return (value: number) => round(((at(value) - low) / (high - low || 1)) * length)
}

const chart = ({ title, x, y, series }: Chart, left: number, top: number): string => {
  const [width, height] = [WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM]
  const all = series.flatMap(({ points }) => points)
  const xs = all.map(([value]) => value)
  const xTicks = x.isLog ? logTicks(Math.min(...xs), Math.max(...xs)) : linearTicks(Math.max(...xs), 5)
  const yTicks = linearTicks(Math.max(...all.map(([, value]) => value)) * 1.1, 5)
  const [xAt, yAt] = [scaleOf(xTicks, x.isLog, width), scaleOf(yTicks, false, height)]
  const down = (value: number) => round(height - yAt(value))
  const grid = [
    ...yTicks.map((tick) => {
      const line = `<path class="grid" d="M0 ${down(tick)}H${width}"/>`
      return `${line}<text x="-8" y="${down(tick) + 4}" text-anchor="end">${tickText(tick)}</text>`
    }),
    ...xTicks.map((tick) => {
      const line = `<path class="axis" d="M${xAt(tick)} ${height}v5"/>`
      return `${line}<text x="${xAt(tick)}" y="${height + 18}" text-anchor="middle">${tickText(tick)}</text>`
    }),
  ]
  const lines = series.map(({ name, points }, i) => {
    const places = points.map(([a, b]) => [xAt(a), down(b)] as const)
    const dots = places.map(([a, b]) => `<circle class="s${i}" cx="${a}" cy="${b}" r="3"/>`).join("")
    const key = `<circle class="s${i}" cx="${i * 150 + 4}" cy="-12" r="4"/>`
    const label = `<text x="${i * 150 + 14}" y="-8">${escaped(name)}</text>`
    return `<polyline class="s${i}" points="${places.map((place) => place.join(",")).join(" ")}"/>${dots}${key}${label}`
  })
  return `<g transform="translate(${left + LEFT} ${top + TOP})">
<text class="title" x="0" y="-34">${escaped(title)}</text>
${grid.join("\n")}
<path class="axis" d="M0 0V${height}H${width}"/>
${lines.join("\n")}
<text x="${width / 2}" y="${height + 38}" text-anchor="middle">${escaped(x.label)}</text>
<text transform="translate(-50 ${height / 2}) rotate(-90)" text-anchor="middle">${escaped(y)}</text>
</g>`
}

/** Draws charts, two in a row, as one SVG that is read on a light and on a dark page; its title is theirs. */
export const plot = (charts: ReadonlyArray<Chart>): string => {
  const [width, height] = [2 * WIDTH, Math.ceil(charts.length / 2) * HEIGHT]
  const drawn = charts.map((one, i) => chart(one, (i % 2) * WIDTH, Math.floor(i / 2) * HEIGHT))
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">
<title>${charts.map(({ title }) => escaped(title)).join("; ")}</title>
<style>${STYLE}
</style>
${drawn.join("\n")}
</svg>
`
}
