// Written by `handoffsite install opencode`; `handoffsite uninstall opencode` removes it.
// It tells handoffsite when a session begins, is compacted or falls quiet, and gives the model what handoffsite answers. Where
// handoffsite is not installed, or the project keeps no `.handoff/`, it does nothing, and nothing here can fail a session.
import { spawn } from "node:child_process"

const PATIENCE = 30_000 // milliseconds for an answer
const MOST = 64 // sessions whose context is kept

function told(event, payload) {
  return new Promise((resolve) => {
    let said = ""
    let child
    const done = () => {
      clearTimeout(late)
      resolve(said)
    }
    const late = setTimeout(() => {
      child?.kill()
      done()
    }, PATIENCE)
    late.unref?.()
    try {
      child = spawn("handoffsite", ["hook", "opencode", event], { cwd: payload.cwd, stdio: ["pipe", "pipe", "ignore"] })
      child.on("error", done)
      child.on("close", done)
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (part) => (said += part))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(payload))
    } catch {
      done()
    }
  })
}

export const Handoffsite = async ({ directory, worktree }) => {
  const contexts = new Map() // by session: what it was told at its start
  const cwd = directory ?? worktree ?? process.cwd()
  const begun = (sessionID) => {
    if (!contexts.has(sessionID)) {
      if (contexts.size >= MOST) contexts.delete(contexts.keys().next().value)
      contexts.set(sessionID, told("session-start", { sessionID, cwd }))
    }
    return contexts.get(sessionID)
  }
  return {
    event: async ({ event }) => {
      const info = event?.properties?.info
      const sessionID = event?.properties?.sessionID ?? info?.id
      if (!sessionID || info?.parentID) return // a sub-agent's session belongs to its parent
      if (event.type === "session.created") void begun(sessionID)
      if (event.type === "session.idle") await told("stop", { sessionID, cwd })
      if (event.type === "session.deleted") contexts.delete(sessionID)
    },
    "experimental.chat.system.transform": async (input, output) => {
      const context = input?.sessionID ? (await begun(input.sessionID)).trim() : ""
      if (context) output?.system?.push(context)
    },
    "experimental.session.compacting": async (input, output) => {
      if (!input?.sessionID) return
      await told("pre-compact", { sessionID: input.sessionID, cwd })
      const context = (await begun(input.sessionID)).trim()
      if (context) output?.context?.push(context)
    },
  }
}
