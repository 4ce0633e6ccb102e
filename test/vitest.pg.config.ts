import { defineConfig } from "vitest/config"

const conditions = ["@palimpsest/source"]

/** Tests that need a Postgres server: `DATABASE_URL=$(.ci/postgres) npm run test:pg`. */
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
