import { aiSdk } from "@palimpsest/core/formats/ai-sdk"
import { aiSdkMessages } from "@palimpsest/core/testing"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { providers, sent } from "./AiSdkKit.ts"
const isOfVersion = (wire: unknown): boolean =>
  !/something-new|reasoning-file|"type":"(?:data|url)"|"data":\{"type"|"(?:data|image)":\{"type":"text"/.test(
    JSON.stringify(wire),
  )
for (const provider of providers)
  it(`${provider.name} tally`, async () => {
    const tally = new Map<string, [number, unknown]>()
    let n = 0
    for (const messages of fc.sample(aiSdkMessages.filter(isOfVersion), { seed: 20_261_202, numRuns: 400 })) {
      const hello = { role: "user", content: "Hello" }
      const text = JSON.stringify(messages)
      if (text.includes('"a.b"') || text.includes('"providerExecuted":true')) continue
      const { request } = aiSdk.repair({ messages: [hello, ...messages, hello] })
      let found: string
      n++
      try {
        const body = await sent(request, provider)
        const faults = provider.faults(body as never) as ReadonlyArray<{ rule: string; detail: string }>
        if (faults.length === 0) continue
        for (const f of faults) {
          const key = `${f.rule}: ${f.detail ?? JSON.stringify(f)}`
          tally.set(key, [(tally.get(key)?.[0] ?? 0) + 1, tally.get(key)?.[1] ?? JSON.stringify([request, body]).slice(0, 5000)])
        }
      } catch (e) {
        const key = String(e).slice(0, 150)
        tally.set(key, [(tally.get(key)?.[0] ?? 0) + 1, tally.get(key)?.[1] ?? JSON.stringify(request).slice(0, 600)])
      }
    }
    for (const [k, [c, ex]] of tally) { console.log(provider.name, c, "of", n, k); if (process.env.EX && k.includes(process.env.EX)) console.log(ex) }
  }, 60000)
