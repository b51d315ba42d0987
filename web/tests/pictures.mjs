/** The pictures of the documentation: a learner who has done a little of everything, on a server of her own. */
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
  await server.ask('/api/agent/turn', { agent: 'claude-code', session: 'billing-api', text: 'Should the migration drop the old column, or keep it for one release?' });
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
  await mara.at('/playground');
  await until('the editor is there', () => page.locator('.editor[data-ready="true"]').isVisible());
  await shoot('web-playground', DESK);
}

/** A finished drill of three words. */
async function words(server) {
  const met = new Map();
  let view = await server.ask('/api/drills', { pack: 'german-first-words', new_words: 3 });
  while (!view.outcome) {
    const { id, text } = view.data.target;
    if (text) met.set(id, text);
    view = await server.ask(`/api/drills/${view.id}/answer`, { text: met.get(id) ?? 'idk' });
  }
}

/** A course at its first lesson. */
async function lesson(server) {
  let view = await server.ask('/api/courses', { topic: 'Probability', curriculum: 'probability' });
  while (view.desk.ask.form !== 'read') view = await server.ask(`/api/courses/${view.id}/answer`, { text: "I don't know" });
  return view;
}

/** A drill in the middle: a word, an answer that was nearly right, and the next scene. */
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
