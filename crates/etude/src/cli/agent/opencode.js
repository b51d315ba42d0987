// Lets Etude coach OpenCode. Written by `etude agent install opencode`; `etude agent uninstall opencode` removes it.
import { spawn } from "node:child_process"

const PROGRAM = "@PROGRAM@"
const FLAGS = "@FLAGS@"
const HOOK_FLAGS = "@HOOK_FLAGS@"

// Asks the coach. Whatever goes wrong, the agent may stop.
function ask(payload) {
  return new Promise((resolve) => {
    const child = spawn(PROGRAM, [...FLAGS, "agent", "hook", "opencode", ...HOOK_FLAGS], { stdio: ["pipe", "pipe", "ignore"] })
    let answer = ""
    child.on("error", () => resolve({ decision: "stop" }))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (piece) => (answer += piece))
    child.on("close", () => {
      try {
        resolve(JSON.parse(answer))
      } catch {
        resolve({ decision: "stop" })
      }
    })
    child.stdin.end(JSON.stringify(payload))
  })
}

function lastText(messages) {
  const last = messages.filter((message) => message.info.role === "assistant").at(-1)
  const texts = (last?.parts ?? []).filter((part) => part.type === "text").map((part) => part.text)
  return { text: texts.join("\n"), error: last?.info.error?.name }
}

// Messages of the coach, so that they are not taken for a human's.
const sent = new Set()

export const Etude = async ({ client, directory }) => ({
  "chat.message": async ({ sessionID }, { parts }) => {
    const prompt = parts.filter((part) => part.type === "text").map((part) => part.text).join("\n")
    if (!sent.delete(`${sessionID} ${prompt}`)) await ask({ session_id: sessionID, prompt })
  },
  event: async ({ event }) => {
    const id = event.properties?.sessionID
    if (event.type === "session.error") {
      await ask({ session_id: id, error: event.properties.error?.name ?? "unknown" })
    }
    if (event.type !== "session.idle") return
    const session = await client.session.get({ path: { id } })
    // A session that another one started belongs to that one.
    if (session.data?.parentID) return
    const messages = await client.session.messages({ path: { id } })
    const answer = await ask({ session_id: id, cwd: directory, ...lastText(messages.data ?? []) })
    if (answer.decision === "continue") {
      sent.add(`${id} ${answer.message}`)
      // The answer to a prompt is the agent's whole turn; events must not wait for it.
      client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: answer.message }] } }).catch(() => {})
    }
  },
})
