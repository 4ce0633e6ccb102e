/** A process that plays chunks in memory: each message is a chunk, each answer an outcome. */
import { playInMemory } from "@palimpsest/core/testing"
import { type Chunk, playChunk } from "./Chunk.ts"

process.on("message", (chunk: Chunk) => {
  playChunk(chunk, playInMemory).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
  )
})
process.send?.("ready")
