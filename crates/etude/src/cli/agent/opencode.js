// Lets Etude coach OpenCode. Written by `etude agent install opencode`; `etude agent uninstall opencode` removes it.
import { spawn } from "node:child_process"

const PROGRAM = "@PROGRAM@"
const FLAGS = "@FLAGS@"
const HOOK_FLAGS = "@HOOK_FLAGS@"

// Asks the coach. If anything goes wrong, the agent may stop.
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

// The messages that the coach sees, and the characters it sees of a call's output: the end tells how the call went.
const MAX_MESSAGES = 200
const MAX_OUTPUT = 16_000

// Returns the text of a message without the parts that OpenCode itself added: they are not the human's words.
function wordsOf(parts) {
  return parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n")
}

// Returns the conversation as records: each message with its role, and each call with its result.
function records(messages) {
  return messages.slice(-MAX_MESSAGES).flatMap(({ info, parts }) => [
    ...parts.filter((part) => part.type === "tool").map((part) => ({ type: "tool_use", part: ended(part) })),
    { type: info.role, id: info.id, content: wordsOf(parts) },
  ])
}

function ended({ callID, tool, state }) {
  const { status, input, metadata } = state
  const output = String(state.error ?? state.output ?? "").slice(-MAX_OUTPUT)
  return { callID, tool, state: { status, input, output, metadata: { exit: metadata?.exit } } }
}

function lastTurn(messages) {
  const last = messages.filter((message) => message.info.role === "assistant").at(-1)
  return {
    text: wordsOf(last?.parts ?? []),
    error: last?.info.error?.name,
    permission_mode: last?.info.mode === "plan" ? "plan" : undefined,
    records: records(messages),
  }
}

// The coach's own messages, so that they are not taken for a human's.
const sent = new Set()

export const Etude = async ({ client, directory }) => ({
  "chat.message": async ({ sessionID }, { parts }) => {
    const prompt = wordsOf(parts)
    if (!sent.delete(`${sessionID} ${prompt}`)) await ask({ session_id: sessionID, cwd: directory, prompt })
  },
  event: async ({ event }) => {
    const id = event.properties?.sessionID
    if (event.type === "session.error") {
      await ask({ session_id: id, cwd: directory, error: event.properties.error?.name ?? "unknown" })
    }
    if (event.type !== "session.idle") return
    const session = await client.session.get({ path: { id } })
    // A session started by another session is left to that one.
    if (session.data?.parentID) return
    const messages = await client.session.messages({ path: { id } })
    const answer = await ask({ session_id: id, cwd: directory, ...lastTurn(messages.data ?? []) })
    if (answer.decision === "continue") {
      sent.add(`${id} ${answer.message}`)
      // The call returns after the agent's whole turn; events must not wait for it.
      client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: answer.message }] } }).catch(() => {})
    }
  },
})
