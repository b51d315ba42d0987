/** Takes the pictures of the documentation: a learner who has done a little of everything, on her own server. */
import { join } from 'node:path';
import { Server, until, Visitor } from './place.mjs';

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 375, height: 812 };

export async function take(browser, folder) {
  const server = new Server(process.env.PROGRAM, []);
  await server.start();
  const mara = await Visitor.come(browser, server);
  await server.ask('/api/learners/me', { name: 'Mara' });
  await mara.signIn();
  await server.ask('/api/agent/turn', { agent: 'codex', session: 'docs-site', text: 'Rewrote the install page. Next I will check the links.' });
  await server.ask('/api/agent/turn', { agent: 'gemini', session: 'etl-nightly', text: 'Done. All 214 tests pass; commit 9f3c2ab pushed.' });
  await server.ask('/api/agent/turn', { agent: 'claude-code', session: 'billing-api', text: 'Added the currency to invoices. Next I will update the exports.' });
  await server.ask('/api/agent/turn', { agent: 'claude-code', session: 'billing-api', text: 'Exports done, 38 tests pass. Should the migration drop the old column, or keep it for one release?' });
  await words(server);
  const course = await lesson(server);
  await pages({ mara, server, course, folder });
  await mara.context.close();
  await server.remove();
}

async function pages({ mara, server, course, folder }) {
  const { page } = mara;
  const shoot = async (name, size, colorScheme = 'light') => {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(folder, `${name}.png`) });
  };
  await mara.at('/');
  await shoot('web-today', DESK);
  await shoot('web-today-dark', DESK, 'dark');
  await shoot('web-today-phone', PHONE);
  await page.setViewportSize(DESK);
  await mara.at(`/courses/${course.id}`);
  await page.locator('.gnode').first().waitFor();
  await shoot('web-map', DESK);
  await mara.at(`/at/${course.id}`);
  await page.locator('.concepts li').first().waitFor();
  await shoot('web-lesson-dark', DESK, 'dark');
  await drill({ mara, server, page });
  await shoot('web-drill', DESK);
  await page.setViewportSize(PHONE);
  await page.reload();
  await page.locator('.part.now').waitFor();
  await shoot('web-drill-phone', PHONE);
  await page.setViewportSize(DESK);
  await mara.at(`/inside/${page.url().split('/at/')[1]}`);
  await page.locator('.st.now').waitFor();
  await shoot('web-inside', DESK);
  await workbench({ mara, server, page });
  await shoot('web-workbench', { width: 1280, height: 900 });
  await page.setViewportSize(DESK);
  await mara.at('/agents');
  await page.locator('.score .part').first().waitFor();
  await shoot('web-agents', DESK);
  await mara.at('/playground');
  await until('the editor is there', () => page.locator('.editor[data-ready="true"]').isVisible());
  await shoot('web-playground', DESK);
}

/** Finishes a drill of three words. */
async function words(server) {
  const met = new Map();
  let view = await server.ask('/api/drills', { pack: 'german-first-words', new_words: 3 });
  while (!view.outcome) {
    const { id, text } = view.data.target;
    if (text) met.set(id, text);
    view = await server.ask(`/api/drills/${view.id}/answer`, { text: met.get(id) ?? 'idk' });
  }
}

/** Starts a course and takes it to its first lesson. */
async function lesson(server) {
  let view = await server.ask('/api/courses', { topic: 'Probability', curriculum: 'probability' });
  while (view.desk.ask.form !== 'read') view = await server.ask(`/api/courses/${view.id}/answer`, { text: "I don't know" });
  return view;
}

/** Shows a drill in the middle: a word, an answer that was nearly right, and the next scene. */
async function drill({ mara, server, page }) {
  await mara.at('/words');
  await page.locator('li', { hasText: 'Spanish' }).getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/at\//);
  const id = page.url().split('/at/')[1];
  const { data, version } = await server.ask(`/api/instances/${id}`);
  await page.getByRole('textbox', { name: 'Your answer' }).fill(data.target.text.replace(/.$/, ''));
  await page.keyboard.press('Enter');
  await until('the coach answers', async () => (await server.ask(`/api/instances/${id}`)).version > version);
  await page.locator('.part.you').first().waitFor();
}

/** Shows a coding problem whose tests fail, traced line by line if the server can. */
async function workbench({ mara, server, page }) {
  const { id } = await server.ask('/api/flows/attempt/open', { given: { problemId: 'two-sum' } });
  const use = (verb, given = {}) => server.ask(`/api/instances/${id}/verbs/${verb}`, given);
  await use('mode', { mode: 'EXPERT' });
  await use('skip');
  await use('skip');
  await mara.at(`/at/${id}`);
  await page.locator('.editor[data-ready="true"]').waitFor();
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('def two_sum(numbers, target):\n    seen = {}\n    for i, n in enumerate(numbers):\n        if target - n in seen:\n            return [i, seen[target - n]]\n        seen[n] = i\n');
  await page.keyboard.press('Control+Enter');
  await page.getByText(/^0 of \d+ tests pass$/).waitFor();
  const trace = page.getByRole('button', { name: 'See this test line by line' });
  if (!(await trace.isVisible())) return;
  await trace.click();
  await page.locator('.player .editor[data-ready="true"]').waitFor();
  await page.locator('h1').click();
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight');
}
