/** The pictures of the documentation, taken of a learner who has been here for a while. */
import { join } from 'node:path';
import { until } from './place.mjs';

const PHONE = { width: 375, height: 812 };

export async function take({ ada, server, folder }) {
  const { instances } = await server.ask('/api/instances?flow=teach&open=true');
  const course = (await Promise.all(instances.map((row) => server.ask(`/api/instances/${row.id}`)))).find((view) => view.desk?.title.startsWith('SQL'));
  const { page } = ada;
  const shoot = (name) => page.screenshot({ path: join(folder, `${name}.png`) });
  await page.setViewportSize({ width: 1280, height: 800 });
  await ada.at('/');
  await shoot('web-today');
  await page.setViewportSize(PHONE);
  await ada.at('/');
  await shoot('web-today-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  await ada.at(`/courses/${course.id}`);
  await page.locator('.gnode').first().waitFor();
  await shoot('web-map');
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await ada.at(`/at/${course.id}`);
  await page.locator('.concepts li').first().waitFor();
  await shoot('web-lesson-dark');
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await drill({ ada, server, page });
  await shoot('web-drill');
  const id = page.url().split('/at/')[1];
  await ada.at(`/inside/${id}`);
  await page.locator('.st.now').waitFor();
  await shoot('web-inside');
  await ada.at('/playground');
  await until('the editor is there', () => page.locator('.editor[data-ready="true"]').isVisible());
  await shoot('web-playground');
}

/** A drill in the middle: a word, an answer that was nearly right, and the next scene. */
async function drill({ ada, server, page }) {
  await ada.at('/words');
  await page.locator('li', { hasText: 'Spanish' }).getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/at\//);
  const id = page.url().split('/at/')[1];
  const { data, version } = await server.ask(`/api/instances/${id}`);
  await page.getByRole('textbox', { name: 'Your answer' }).fill(data.target.text.replace(/.[aeiou]$/i, ''));
  await page.keyboard.press('Enter');
  await until('the coach answers', async () => (await server.ask(`/api/instances/${id}`)).version > version);
  await page.locator('.part.you').first().waitFor();
}

