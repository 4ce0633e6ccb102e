import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { readText } from "./architecture/Source.ts"
import { runTsc } from "./commands/Tsc.ts"
import { allBlocks, type Block, blocksIn, documentation } from "./docs/Block.ts"
import { hasClaims, instrument } from "./docs/Claims.ts"

const folder = join(import.meta.dirname, ".docs")
const blocks = allBlocks()
const placeOf = ({ path, line }: Block, offset = 0): string => `${path}:${line + offset}`

const CONFIG = {
  extends: "../../tsconfig.base.json",
  compilerOptions: {
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    noUnusedLocals: false,
    types: ["node"],
    lib: ["es2023", "dom"],
  },
  include: ["block*.ts"],
}

/** Compiler messages about the blocks, at their places in the documentation. */
const faultsIn = (output: string): ReadonlyArray<string> => {
  const found = [...output.matchAll(/block(\d+)\.ts\((\d+),\d+\): (error [^\n]*)/g)]
  return found.flatMap(([, index, line, message]) => {
    const block = blocks[Number(index)]
    return block === undefined ? [] : [`${placeOf(block, Number(line) - 1)} ${message}`]
  })
}

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(CONFIG))
  blocks.forEach(({ code }, i) => {
    writeFileSync(join(folder, `block${i}.ts`), `${code}\nexport {}\n`)
    if (hasClaims(code)) writeFileSync(join(folder, `run${i}.ts`), instrument(code))
  })
})

describe("the checks themselves", () => {
  const sample = ["```ts", "const a = [", "  1,", "] // => [1]", "a", "  .length // => 2", "```"].join("\n")

  it("find blocks, in pages and in docblocks", () => {
    const [page] = blocksIn("a.md", `\n${sample}`)
    expect(page?.line).toBe(3)
    const docblock = ["/**", ...sample.split("\n").map((line) => ` * ${line}`), " */"].join("\n")
    expect(blocksIn("a.ts", docblock)[0]?.code).toBe(page?.code)
  })

  it("find claims, over several lines too", () => {
    const code = instrument(blocksIn("a.md", sample)[0]?.code ?? "")
    expect(code).toContain("__claim(2, a, ([1]))")
    expect(code).toContain("__claim(4, (a\n  .length), (2))")
  })

  it("take the compiler's words to the documentation", () => {
    const message = "test/.docs/block0.ts(2,5): error TS2322: no\n"
    expect(blocks.length).toBeGreaterThan(10)
    expect(faultsIn(message)).toEqual([`${placeOf(blocks[0] as Block, 1)} error TS2322: no`])
  })
})

describe("the blocks of the documentation", () => {
  it("are all checked", () => {
    expect(blocks.filter(({ info }) => info !== "").map((block) => placeOf(block))).toEqual([])
    const unseen = /^[ \t]*(?:\* )?```(?:typescript|tsx|javascript|jsx|js)\b/m
    expect(documentation().filter((path) => unseen.test(readText(path)))).toEqual([])
  })

  it("type-check", async () => {
    const output = await runTsc(folder)
    expect(faultsIn(output)).toEqual([])
    expect(output).not.toMatch(/\.docs\/tsconfig\.json|error TS5\d\d\d|error TS18003/)
  })

  for (const [i, block] of blocks.entries()) {
    if (!hasClaims(block.code)) continue
    it(`hold: ${placeOf(block)}`, async () => {
      const { __claims: claims } = (await import(join(folder, `run${i}.ts`))) as {
        readonly __claims: ReadonlyArray<readonly [number, unknown, unknown]>
      }
      const wrong = claims.filter(([, actual, expected]) => !isDeepStrictEqual(actual, expected))
      expect(
        wrong.map(([line, actual, expected]) => ({ at: placeOf(block, line), actual, expected })),
      ).toEqual([])
    })
  }
})
