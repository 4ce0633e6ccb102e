/**
 * The engine: an Effect program over ports.
 *
 * @since 0.1.0
 */
export * from "./Errors.ts"
export * from "./FactStore.ts"
export * from "./Facts.ts"
export * from "./Memory.ts"
export * from "./Summariser.ts"
export * from "./ThreadStore.ts"
