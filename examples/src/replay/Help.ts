/** What `replay` says of itself. */

/** What holds where an option is not given. */
export const DEFAULTS = {
  window: "16K",
  windows: "8K,32K,128K",
  db: "memory",
  allDb: "heap",
  system: "auto",
} as const

export const HELP = `replay: run a recorded chat through the memory, step by step, and show what the
model would see

Usage: npm run -s replay -- FILE [options]
       npm run -s replay -- --all FOLDER [options]

  FILE             a session of a coding agent, or messages in a provider's or a
                   framework's format: which one is found by its shape
  --all FOLDER     every file below a folder, each at several windows, with a table
                   of what came of it; files that are not read are listed with the
                   reason
  --windows LIST   the windows of --all (default ${DEFAULTS.windows})
  --window N       tokens of the model's window (default ${DEFAULTS.window}; K is thousands)
  --reserve N      tokens kept free for the reply (default: a fifth of the window)
  --tail N         tokens of the newest rows kept verbatim (default: the policy's)
  --db WHERE       memory or a folder (embedded Postgres), postgres://…, or heap (no
                   database; default ${DEFAULTS.db}, with --all ${DEFAULTS.allDb})
  --system HOW     auto, include or omit the recorded system prompt (default ${DEFAULTS.system})
  --join           run all chats of the file as one thread
  --limit N        only the first N chats of a file
  --dump OUT.jsonl write the prompt of each step, one JSON line each
  --json           print one JSON object last, and no drawing
  --help           print this

Ends with 0 when every law holds, also where no prompt could fit the window: the last
line says so. Ends with 1 when a prompt breaks a law, with 2 on a mistake in the options
or a FILE that holds no chat, with 3 when the database or the dump fails.
`
