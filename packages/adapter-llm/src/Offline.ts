/**
 * A summariser that needs no model.
 *
 * @since 0.1.0
 */
import { estimateCounter, type TokenCounter } from "@palimpsest/core"
import { extractiveSummariser, Summariser } from "@palimpsest/core/engine"
import { Layer } from "effect"

/**
 * Summarises by the core's extractive rules: deterministic, free, and without a network. It reads the rows in full
 * and in one piece, whatever their size.
 *
 * @category layers
 * @since 0.1.0
 */
export const offlineSummariser = (counter: TokenCounter = estimateCounter): Layer.Layer<Summariser> =>
  Layer.succeed(Summariser, extractiveSummariser(counter))
