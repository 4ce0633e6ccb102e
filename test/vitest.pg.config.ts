import { defineConfig } from "vitest/config"

const conditions = ["@palimpsest/source"]

/**
 * Tests that need servers: `DATABASE_URL=$(.ci/postgres) npm run test:pg`. With VECTOR_DATABASE_URL and
 * POOLED_DATABASE_URL also on a server with pgvector and through a pooler; what is not named is skipped, and said.
 */
export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["**/*.pg.test.ts"],
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
