/** A model server: a process of its own that speaks the wire format of models and says hostile things in it. */
import { createServer } from 'node:http';
import { HOSTILE } from './place.mjs';

const gap = (text) => ({ form: 'cloze', text: `${text} ___.`, blanks: [['100']] });
const node = (label, needs) => ({ label, description: HOSTILE, minutes: 5, needs });

/** What is asked for is told by the field that the reply must have. */
const REPLIES = {
  nodes: { nodes: [node('Boiling', []), ...['Steam', 'Tea', 'Eggs', 'Rice'].map((label) => node(label, ['Boiling']))] },
  explain: { explain: `Water boils when bubbles rise. ${HOSTILE}`, example: `A pot. ${HOSTILE}`, questions: [gap('Water boils at'), gap('In degrees it boils at'), gap('It never gets above')] },
  ready: { ready: true },
  again: { again: `Once more. ${HOSTILE}` },
};

createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    if (request.method === 'GET') return response.end(JSON.stringify({ data: [{ id: 'hostile' }] }));
    const asked = Buffer.concat(parts).toString();
    const field = Object.keys(REPLIES).find((name) => asked.includes(`"${name}"`) || asked.includes(`\\"${name}\\"`));
    const content = JSON.stringify(REPLIES[field] ?? { text: HOSTILE, answer: HOSTILE });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1 } }));
  });
}).listen(0, '127.0.0.1', function () {
  console.log(this.address().port);
});
