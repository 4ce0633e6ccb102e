import { defineConfig } from "vitest/config"

const conditions = ["@palimpsest/source"]

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["**/*.test.ts"],
    exclude: ["dist/**", "node_modules/**", "**/*.pg.test.ts"],
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
