/** A fake model server, as a separate process. Its replies contain hostile text, and with PAUSE_MS they come slowly. */
import { createServer } from 'node:http';
import { HOSTILE } from './place.mjs';

const PAUSE_MS = Number(process.env.PAUSE_MS ?? 0);
const gap = (text) => ({ form: 'cloze', text: `${text} ___.`, blanks: [['100']] });
const node = (label, needs) => ({ label, description: HOSTILE, minutes: 5, needs });

/** The replies, by the field that the requested schema requires. */
const REPLIES = {
  nodes: { nodes: [node('Boiling', []), ...['Steam', 'Tea', 'Eggs', 'Rice'].map((label) => node(label, ['Boiling']))] },
  explain: { explain: `Water boils when bubbles rise. ${PAUSE_MS ? 'Steam follows it. The pot sings then.' : HOSTILE}`, example: `A pot. ${HOSTILE}`, questions: [gap('Water boils at'), gap('In degrees it boils at'), gap('It never gets above')] },
  ready: { ready: true },
  again: { again: `Once more. ${HOSTILE}` },
  scene: { scene: 'Anna sits on the stairs.', say: 'Hallo!', means: 'Hello!' },
};

const pause = () => new Promise((done) => setTimeout(done, PAUSE_MS));

/** Streams the reply word by word, as server-sent events. */
async function stream(response, content) {
  response.setHeader('content-type', 'text/event-stream');
  for (const piece of content.split(/(?<= )/)) {
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: piece } }] })}\n\n`);
    await pause();
  }
  response.end(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`);
}

async function whole(response, content) {
  for (let beat = 0; PAUSE_MS && beat < 8; beat += 1) await pause();
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1 } }));
}

createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    if (request.method === 'GET') return response.end(JSON.stringify({ data: [{ id: 'hostile' }] }));
    const asked = Buffer.concat(parts).toString();
    const field = Object.keys(REPLIES).find((name) => asked.includes(`"${name}"`) || asked.includes(`\\"${name}\\"`));
    const content = JSON.stringify(REPLIES[field] ?? { text: HOSTILE, answer: HOSTILE });
    return JSON.parse(asked).stream && PAUSE_MS ? stream(response, content) : whole(response, content);
  });
}).listen(0, '127.0.0.1', function () {
  console.log(this.address().port);
});
