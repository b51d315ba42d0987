/** Tests of the page in a real browser, on a real server. PROGRAM is the program, CHROMIUM the browser, PICTURES a folder for pictures. */
import assert from 'node:assert/strict';
import { FluentBundle, FluentResource } from '@fluent/bundle';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browse, HOSTILE, Server, until, Visitor } from './place.mjs';

const PAGES = ['/', '/words', '/courses', '/problems', '/flows', '/agents', '/progress', '/inside', '/inside/drill', '/playground', '/settings', '/first'];
const laws = (process.env.LAWS ?? '').split(':').filter(Boolean);

const server = new Server(process.env.PROGRAM, laws);
await server.start();
const browser = await browse();
let failures = 0;

async function test(name, run) {
  const started = Date.now();
  try {
    await run();
    console.log(`ok      ${name} (${Date.now() - started} ms)`);
  } catch (error) {
    failures += 1;
    console.error(`FAILED  ${name}\n${error.stack}`);
    if (process.env.SHOTS) for (const context of browser.contexts()) for (const page of context.pages()) await page.screenshot({ path: join(process.env.SHOTS, `failed-${failures}.png`) }).catch(() => undefined);
  }
}

const idOf = (page) => decodeURIComponent(page.url().split('/at/')[1]);
const view = (page) => server.ask(`/api/instances/${encodeURIComponent(idOf(page))}`);

/** The learner's answers: each word by its id, as it was shown before it had to be recalled. */
const met = new Map();
async function word(page) {
  const { data, version, outcome } = await view(page);
  if (data.target?.text) met.set(data.target.id, data.target.text);
  return { text: met.get(data.target?.id) ?? 'idk', version, outcome };
}

const say = async (page, text) => {
  await page.getByRole('textbox', { name: 'Your answer' }).fill(text);
  await page.keyboard.press('Enter');
};

/** A map of one concept whose label and description are hostile. */
const uuid = (number) => `00000000-0000-7000-8000-00000000000${number}`;
const mapOf = (title, number) => ({ mind_map_id: uuid(number), title, nodes: [{ node_id: uuid(number), label: HOSTILE, description: `${HOSTILE}\n\n<svg onload=alert(4)><style>*{display:none}</style><a href="//example.org">x</a>` }], edges: [] });

const moved = (page, version) => until('the flow moves', async () => (await view(page)).version > version);

await test('both languages have the same labels', async () => {
  const keys = (language) => [...readFileSync(new URL(`../src/words/${language}.ftl`, import.meta.url), 'utf8').matchAll(/^([a-z][\w-]*) =/gm)].map(([, key]) => key).sort();
  assert.deepEqual(keys('de'), keys('en'));
});

await test('the page names steps and how well a concept is known as the coach does', () => {
  const bundle = (language, path) => {
    const words = new FluentBundle(language, { useIsolating: false });
    words.addResource(new FluentResource(readFileSync(new URL(path, import.meta.url), 'utf8')));
    return (key, args) => words.formatPattern(words.getMessage(key).value, args);
  };
  for (const language of ['en', 'de']) {
    const page = bundle(language, `../src/words/${language}.ftl`);
    const [teach, attempt] = ['teach', 'attempt'].map((flow) => bundle(language, `../../crates/coaching/src/${flow}/words/${language}.ftl`));
    for (const mastery of ['unseen', 'diagnosed', 'learning', 'reviewing', 'mastered']) assert.equal(page(`status-${mastery}`), teach('teach-mastery', { mastery }));
    for (const step of ['UNDERSTAND', 'PLAN', 'IMPLEMENT', 'VERIFY', 'REFLECT']) assert.equal(page(`step-${step}`), attempt('attempt-step', { step }));
  }
});

const ada = await Visitor.come(browser, server);

await test('a browser without a sign-in is told what to do', async () => {
  const stranger = await Visitor.come(browser, server);
  await stranger.page.goto(server.url);
  await stranger.page.getByText('This browser is not signed in').waitFor();
  await stranger.axe('sign-in');
  await stranger.page.getByLabel('Token').fill('wrong');
  await stranger.page.getByRole('button', { name: 'Sign in' }).click();
  await stranger.page.getByText(/no.* token of this server/).waitFor();
  await stranger.page.getByLabel('Token').fill(server.token);
  await stranger.page.getByRole('button', { name: 'Sign in' }).click();
  await stranger.page.getByRole('heading', { name: 'Welcome' }).waitFor();
  stranger.clean();
  await stranger.context.close();
});

await test('the address works once, and the cookie is closed to scripts', async () => {
  await ada.signIn();
  const [cookie] = await ada.context.cookies();
  assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, 'Strict']);
  assert.equal(await ada.page.evaluate(() => document.cookie), '');
  const late = await Visitor.come(browser, server);
  await late.page.goto(server.url + server.once);
  await late.page.getByText('That address has already been used').waitFor();
  await late.context.close();
});

await test('the first visit ends in a first success', async () => {
  const { page } = ada;
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await ada.axe('first run');
  await page.getByLabel('What should the coach call you?').fill('Ada');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Words of a language' }).click();
  await page.getByRole('button', { name: /German: first words/ }).click();
  await page.waitForURL(/\/at\//);
  await page.getByText('used 0 of 3 times').first().waitFor();
  assert.equal(await page.locator('.word').getAttribute('lang'), 'de', 'a word has the language it is in');
  const { text } = await word(page);
  await say(page, text);
  await page.getByText('used 1 of 3 times').first().waitFor();
});

await test('a drill goes on where it was after a reload, and keeps what was typed', async () => {
  const { page } = ada;
  await page.getByRole('textbox', { name: 'Your answer' }).fill('half a thou');
  await page.reload();
  await page.getByText('used 1 of 3 times').first().waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Your answer' }).inputValue(), 'half a thou');
  assert.ok(await page.locator('.part.you').first().isVisible(), 'what was said is still there');
  await page.getByRole('button', { name: 'ß', exact: true }).click();
  assert.equal(await page.getByRole('textbox', { name: 'Your answer' }).inputValue(), 'half a thouß');
  await ada.axe('drill');
});

await test('a drill that is left alone waits', async () => {
  const { id } = await view(ada.page);
  const { flows } = await server.ask('/api/learners/me/export');
  const { timers, data } = flows.find((flow) => flow.id === id);
  assert.deepEqual([timers, data.is_untimed], [[], true]);
});

await test('an end is told in words, and an end by silence is not praised', async () => {
  const { page } = ada;
  const silent = await server.ask('/api/drills', { pack: 'english-first-words', new_words: 1 });
  const left = await server.ask('/api/drills', { pack: 'english-first-words', new_words: 1 });
  for (let wait = 0; wait < 3; wait += 1) await server.ask(`/api/instances/${silent.id}/events`, { event: 'timeout' });
  await server.ask(`/api/drills/${left.id}/leave`, {});
  const back = page.url();
  for (const [language, id, said] of [['en', silent.id, 'No answer came for a while'], ['de', silent.id, 'Eine Weile kam keine Antwort'], ['en', left.id, 'You ended it here.'], ['de', left.id, 'Du hast hier aufgehört.']]) {
    await server.ask('/api/learners/me', { language });
    await ada.at(`/at/${id}`);
    await page.getByText(said).waitFor();
    for (const wrong of ['timeout', 'finished', 'geschafft']) assert.equal(await page.locator('.bottom', { hasText: wrong }).count(), 0, `${said}: ${wrong}`);
  }
  await server.ask('/api/learners/me', { language: null });
  await page.goto(back);
  await page.getByText('used 1 of 3 times').first().waitFor();
});

await test('an address that leads nowhere says so, in the page', async () => {
  const { page } = ada;
  const lost = await page.context().newPage();
  assert.equal((await lost.goto(`${server.url}/nonsense`)).status(), 404);
  await lost.getByText('There is nothing at this address').waitFor();
  await lost.goto(`${server.url}/at/nonsense`);
  await lost.getByText('There is nothing at this address, or it belongs to somebody else.').waitFor();
  await lost.close();
});

await test('a near miss shows the difference, and giving up helps', async () => {
  const { page } = ada;
  const { text, version } = await word(page);
  await say(page, text.slice(0, -1));
  await moved(page, version);
  await page.locator('del, ins').first().waitFor();
  const at = (await view(page)).version;
  await page.getByRole('button', { name: "I don't know" }).click();
  await moved(page, at);
});

await test('two tabs that answer the same question: one counts, the other loses nothing', async () => {
  const { page } = ada;
  const other = await ada.tab();
  await other.goto(page.url());
  const { text, version } = await word(page);
  await other.getByRole('textbox', { name: 'Your answer' }).fill('something else');
  // Wraps the second tab's fetch; its requests pass through unchanged.
  await other.evaluate(() => { const send = window.fetch; window.fetch = (path, init) => send(path, init); });
  await Promise.all([say(page, text), say(other, 'something else')]);
  await moved(page, version);
  const seen = await until('one of them is told', async () => {
    const tabs = await Promise.all([page, other].map((tab) => tab.getByText('answered in another window').isVisible()));
    const versions = (await view(page)).version;
    return tabs.some(Boolean) || versions > version + 1;
  });
  assert.ok(seen);
  const now = (await view(page)).version;
  await until('both show the same', async () => (await Promise.all([page, other].map((tab) => tab.locator('.count').first().innerText()))).every((text, _, all) => text === all[0]));
  assert.ok(now > version);
  await other.close();
});

await test('a server that restarts in the middle loses nothing', async () => {
  const { page } = ada;
  const { text, version } = await word(page);
  await page.getByRole('textbox', { name: 'Your answer' }).fill(text);
  await server.stop();
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('The server is not answering').waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Your answer' }).inputValue(), text);
  // The page also retries by itself, and shows only for a moment that the server is back.
  const back = page.getByText('Back. Nothing was lost.').waitFor();
  await server.start();
  await page.getByRole('button', { name: 'Try now' }).click({ timeout: 2000 }).catch(() => undefined);
  await back;
  await moved(page, version);
  assert.ok(await page.locator('.part.you').last().innerText().then((said) => said.includes(text)));
});

await test('a whole drill', async () => {
  const { page } = ada;
  for (let turn = 0; turn < 60; turn += 1) {
    const { text, version, outcome } = await word(page);
    if (outcome) break;
    await say(page, text);
    await moved(page, version);
    await page.waitForFunction(() => !document.querySelector('.btn.busy'));
  }
  await page.getByText('This one is finished.').waitFor();
  await page.locator('table').first().waitFor();
  const end = new URL(page.url()).pathname;
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/');
  await ada.at(end);
});

await test('a course: diagnosis, map, lesson, question, a question of their own', async () => {
  const { page } = ada;
  await ada.at('/courses');
  await page.getByPlaceholder('I want to learn …').fill('sql');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/at\//);
  await until('the diagnosis ends', async () => {
    const { desk } = await view(page);
    if (desk.ask.form === 'read') return true;
    await page.getByRole('button', { name: "I don't know" }).click();
    await page.waitForFunction(() => !document.querySelector('.btn:disabled.busy'));
    return false;
  });
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await ada.axe('lesson');
  await page.reload();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await page.keyboard.press('?');
  await page.getByLabel('Your question').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Your question').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.getByLabel('Your question').fill(`what is a column? ${HOSTILE}`);
  await page.getByRole('button', { name: 'Ask', exact: true }).last().click();
  await page.locator('.part.you').last().waitFor();
  const before = (await view(page)).version;
  await page.locator('.answer .btn.go').click();
  await moved(page, before);
  const { desk } = await view(page);
  assert.ok(desk.ask, 'a question follows');
  if (desk.ask.form === 'text' || desk.ask.form === 'say') {
    await page.getByRole('textbox').last().fill('there is no order, so no row 7. Ask by what is in it, such as the name');
    await page.keyboard.press('Control+Enter');
    await until('it is marked', async () => (await page.locator('.part').count()) > 3);
  }
});

await test('the map has everything in two forms, by keyboard', async () => {
  const { page } = ada;
  const { courses } = await server.ask('/api/courses');
  await ada.at(`/courses/${courses[0].mind_map_id}`);
  await page.locator('.gnode').first().waitFor();
  const first = await page.locator('.gnode[aria-pressed="true"]').locator('desc').textContent();
  await page.locator('.gnode[aria-pressed="true"]').focus();
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await page.locator('.gnode[aria-pressed="true"]').locator('desc').textContent(), first);
  const drawn = await page.locator('.gnode').count();
  const { nodes } = await server.ask(`/api/courses/${courses[0].mind_map_id}/map`);
  await page.locator('.gnode', { hasText: nodes.find((node) => node.mastery_status === 'learning').label.split(/[:,]/)[0] }).first().click();
  await page.getByText('Your answers, 0 to 5').waitFor();
  await ada.axe('map');
  await page.locator('h1').click();
  await page.keyboard.press('v');
  await page.getByLabel('Find a concept').waitFor();
  assert.equal(await page.locator('.rows .row').count(), drawn);
  await ada.axe('map as a list');
  await page.getByRole('button', { name: 'Map', exact: true }).click();
});

await test('a flow that no line was written for', async () => {
  const { page } = ada;
  await ada.at('/flows');
  await page.locator('li', { hasText: 'guess' }).getByRole('button', { name: 'Open' }).click();
  await page.waitForURL(/\/at\//);
  await page.getByText('Which number from 1 to 100').waitFor();
  await page.getByRole('textbox', { name: 'A number' }).fill('many');
  await page.keyboard.press('Enter');
  await page.getByText('is not a whole number').waitFor();
  let [low, high] = [1, 100];
  for (let guess = 0; guess < 8; guess += 1) {
    const { version, outcome } = await view(page);
    if (outcome) break;
    const middle = Math.floor((low + high) / 2);
    await page.getByRole('textbox', { name: 'A number' }).fill(String(middle));
    await page.keyboard.press('Enter');
    await moved(page, version);
    await until('the coach speaks', async () => (await page.locator('.part').last().innerText()).includes(String(middle)) || (await view(page)).outcome);
    if ((await page.locator('.part').last().innerText()).includes('higher')) low = middle + 1;
    else high = middle - 1;
  }
  await page.getByText('This one is finished.').waitFor();
});

await test('a law without words is moved by its events', async () => {
  const { page } = ada;
  await ada.at('/flows');
  await page.locator('li', { hasText: 'Turnstile' }).getByRole('button', { name: 'Open' }).click();
  await page.waitForURL(/\/at\//);
  await page.getByRole('button', { name: 'coin' }).click();
  await page.getByText('OPEN', { exact: true }).waitFor();
});

await test('a whole coding problem', async () => {
  const { page } = ada;
  const program = (pair) => `def two_sum(numbers, target):\n    seen = {}\n    for i, n in enumerate(numbers):\n        if target - n in seen:\n            return ${pair}\n        seen[n] = i\n`;
  const step = (name) => page.locator('.stepper [aria-current]', { hasText: name }).waitFor();
  const run = async (text) => {
    await page.locator('.editor[data-ready="true"]').waitFor();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
    await page.locator('.cm-content', { hasText: text.trim().split('\n').at(-1).trim() }).waitFor();
    await page.keyboard.press('Control+Enter');
  };
  await ada.at('/problems');
  await page.getByRole('button', { name: /Two numbers that make a sum/ }).click();
  await page.waitForURL(/\/at\//);
  await step('Understand');
  await ada.axe('workbench: understand');
  const said = ['Find the two articles whose prices together are exactly the voucher, and return at which two positions they are; the same article must not be used twice.', 'In: a list of prices and the target. Out: the two positions, the smaller one first.', 'The prices may be negative and are in no order. There is exactly one pair.', '3, 2, 4 and target 6: 2 + 4 = 6 so the answer is [1, 2].', `Trying every pair is too slow for 10,000 numbers. ${HOSTILE}`];
  for (const [at, text] of said.entries()) await page.locator('.answer textarea').nth(at).fill(text);
  await page.reload();
  assert.equal(await page.locator('.answer textarea').nth(4).inputValue(), said[4], 'a half-filled form is kept');
  await page.locator('.answer textarea').first().focus();
  await page.keyboard.press('Control+Enter');
  await step('Plan');
  await ada.axe('workbench: plan');
  await page.getByRole('radio', { name: 'Hash map' }).check();
  await page.getByRole('radio', { name: '4', exact: true }).check({ force: true });
  await page.getByRole('button', { name: 'Answer' }).click();
  const slots = page.locator('.build select');
  await slots.nth(0).selectOption({ label: 'i' });
  await slots.nth(1).selectOption({ label: 'every number before it with its position' });
  await page.getByRole('button', { name: 'Answer' }).click();
  await step('Implement');
  await page.getByRole('region', { name: 'Problem' }).getByText('every number before it with its position').waitFor();
  await ada.axe('workbench: implement');
  await page.keyboard.press('Control+i');
  await page.getByText('1 of 6 used').waitFor();
  await run(program('[i, seen[target - n]]'));
  await page.getByText(/^0 of \d+ tests pass$/).waitFor();
  await page.locator('del', { hasText: '[1, 0]' }).waitFor();
  await page.locator('h1').click();
  await page.keyboard.press('j');
  await page.locator('del', { hasText: '[2, 1]' }).waitFor();
  await ada.axe('workbench: verify');
  await page.reload();
  await page.getByText(/^0 of \d+ tests pass$/).waitFor();
  if (await page.getByRole('button', { name: 'See this test line by line' }).isVisible()) await lineByLine(page);
  await page.getByRole('button', { name: 'Change the program' }).click();
  await step('Implement');
  await run(program('[seen[target - n], i]'));
  await step('Reflect');
  await page.locator('.answer textarea').first().fill('pairs with a sum: remember what was seen');
  await page.keyboard.press('Control+Enter');
  await page.getByText('This one is finished.').waitFor();
  assert.equal(await page.locator('main img, main script').count(), 0);
  ada.wrong = ada.wrong.filter((told) => !told.includes('Applying inline style violates'));
});

/** The player steps by key, by button and by slider; the line, the variables and the pointer move with it. */
async function lineByLine(page) {
  await page.getByRole('button', { name: 'See this test line by line' }).click();
  await page.locator('.player .editor[data-ready="true"]').waitFor();
  await page.getByText(/^step 1 of \d+ · line \d+$/).waitFor();
  await page.locator('h1').click();
  await page.keyboard.press('ArrowRight');
  await page.getByText(/^step 2 of/).waitFor();
  await page.locator('.player .cm-step').waitFor();
  await page.keyboard.press('End');
  await page.locator('.player .fact del').waitFor();
  await page.locator('.cells li', { hasText: '▲ i' }).waitFor();
  await page.getByRole('slider', { name: 'Steps of the call' }).fill('0');
  await page.getByText(/^step 1 of/).waitFor();
  await ada.axe('line by line');
}

await test('a course that a model makes: hostile replies run nowhere, quizzes are marked, a review follows', async () => {
  const place = await Server.withModel(process.env.PROGRAM);
  await place.start();
  await byModel(place).finally(() => place.remove());
});

async function byModel(place) {
  const eve = await Visitor.come(browser, place);
  await place.ask('/api/learners/me', { name: 'Eve' });
  await eve.signIn();
  const { page } = eve;
  await eve.at('/settings');
  await page.getByRole('button', { name: 'Test call' }).click();
  await page.getByText('It answers.').waitFor();
  await eve.at('/courses');
  await page.getByPlaceholder('I want to learn …').fill('boiling water');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/at\//);
  const at = () => place.ask(`/api/instances/${idOf(page)}`);
  const turn = async (act) => {
    const { version } = await at();
    await act();
    await until('the flow moves', async () => (await at()).version > version);
    await page.waitForFunction(() => !document.querySelector('.btn.busy'));
  };
  while ((await at()).desk.ask.form !== 'read') await turn(() => page.getByRole('button', { name: "I don't know" }).click());
  await page.getByText('Water boils when bubbles rise').first().waitFor();
  await page.locator('math').first().waitFor();
  await eve.axe('a lesson of a model');
  await turn(() => page.getByRole('button', { name: 'Continue' }).click());
  for (let question = 0; question < 6 && (await at()).desk.ask?.form === 'gaps'; question += 1) {
    await page.getByRole('textbox', { name: 'Gap 1' }).fill(question === 0 ? HOSTILE : '100');
    await turn(() => page.keyboard.press('Enter'));
  }
  await page.locator('.part.you').last().waitFor();
  const course = idOf(page).split('.')[0];
  await eve.at(`/courses/${course}`);
  await page.locator('.gnode').first().waitFor();
  await page.getByRole('button', { name: 'Practise ahead' }).click();
  await page.waitForURL(/\/at\//);
  for (let question = 0; question < 6 && !(await at()).outcome; question += 1) {
    const { desk } = await at();
    if (desk.ask.form === 'gaps') await page.getByRole('textbox', { name: 'Gap 1' }).fill('100');
    await turn(() => page.keyboard.press('Enter'));
  }
  await page.getByText('This one is finished.').waitFor();
  for (const path of ['/', '/courses', `/courses/${course}`, '/progress', `/inside/${course}`]) await eve.at(path);
  assert.equal(await page.locator('main img, main script, main iframe').count(), 0);
  eve.clean();
  await eve.context.close();
}

await test('a slow coach is seen at work, its lesson is read while it is written, and late lines come by themselves', async () => {
  const place = await Server.withModel(process.env.PROGRAM, 200);
  await place.start();
  await slowly(place).finally(() => place.remove());
});

async function slowly(place) {
  const ines = await Visitor.come(browser, place);
  await place.ask('/api/learners/me', { name: 'Ines' });
  await ines.signIn();
  const { page } = ines;
  const at = () => place.ask(`/api/instances/${idOf(page)}`);
  await ines.at('/courses');
  await page.getByPlaceholder('I want to learn …').fill('boiling water');
  await page.keyboard.press('Enter');
  await page.getByText('The coach is preparing the subject.').waitFor();
  await page.waitForURL(/\/at\//);
  // The last answer of the diagnosis leads to a lesson, which the model writes word by word.
  const writing = page.getByText('The coach is writing.');
  await until('the lesson begins', async () => {
    if (await writing.isVisible()) return true;
    const idle = page.getByRole('button', { name: "I don't know" });
    if (await idle.isEnabled().catch(() => false)) await idle.click({ timeout: 1000 }).catch(() => undefined);
    return false;
  });
  await page.locator('.early', { hasText: 'Water boils when bubbles rise.' }).waitFor();
  assert.ok(!(await page.locator('.early').innerText()).includes('The pot sings'), 'the end is not written yet');
  assert.equal((await at()).desk.ask.form, 'wait');
  await ines.axe('a lesson that is being written');
  // A page that is reloaded in the middle goes on receiving the lesson.
  await page.reload();
  await page.locator('.early', { hasText: 'Steam follows it.' }).waitFor();
  await page.getByRole('button', { name: 'Continue' }).waitFor();
  await page.locator('.early').waitFor({ state: 'detached' });
  await page.getByText('The pot sings then.').first().waitFor();
  await late(place, ines);
  ines.clean();
  await ines.context.close();
}

/** The coach's reply to an answer appears, although the page that gave the answer was reloaded. */
async function late(place, ines) {
  const { page } = ines;
  await ines.at('/words');
  await page.locator('li', { hasText: 'German' }).getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/at\//);
  const { data, version } = await place.ask(`/api/instances/${idOf(page)}`);
  await page.getByRole('textbox', { name: 'Your answer' }).fill(data.target.text);
  await page.keyboard.press('Enter');
  await page.locator('.part.you', { hasText: data.target.text }).waitFor();
  await page.getByText('The coach is asking the model.').waitFor();
  await until('the answer is taken', async () => (await place.ask(`/api/instances/${idOf(page)}`)).version > version);
  await page.reload();
  await page.getByText('used 1 of 3 times').first().waitFor();
  await page.locator('.line-praise, .line-feedback').first().waitFor();
}

const FORMS = ['choice', 'gaps', 'number', 'order', 'program', 'query', 'several', 'text'];
const RIGHT = { number: '1/4', query: 'SELECT name FROM kettle WHERE litres > 1', program: 'def litres(cups):\nreturn cups / 4', order: ['fill the kettle', 'boil the water', 'pour it over the leaves'] };

await test('every form of a question, by keyboard alone', async () => {
  const { page } = ada;
  await ada.at('/settings');
  await page.locator('input[type="file"]').setInputFiles(new URL('forms.yaml', import.meta.url).pathname);
  await page.getByText('A curriculum of 4 concepts has been imported:').waitFor();
  let course = await server.ask('/api/courses', { topic: 'Forms', curriculum: 'forms' });
  while (course.desk.ask.form !== 'read') course = await server.ask(`/api/courses/${course.id}/answer`, { text: "I don't know" });
  await ada.at(`/at/${course.id}`);
  const answered = new Set();
  for (let turn = 0; turn < 80 && answered.size < FORMS.length; turn += 1) {
    const { desk, version, outcome } = await view(page);
    if (outcome) break;
    await page.locator(`form.answer[data-form="${desk.ask.form}"]`).waitFor();
    await fits(page, desk.ask.question ?? desk.ask.form);
    await byKeys(page, desk.ask, answered.has('several'));
    if (desk.ask.form !== 'read') answered.add(desk.ask.form);
    await moved(page, version);
    await page.waitForFunction(() => !document.querySelector('.btn.busy'));
    await inSight(page, desk.ask.question ?? desk.ask.form);
  }
  assert.deepEqual([...answered].sort(), FORMS);
  ada.wrong = ada.wrong.filter((told) => !told.includes('Applying inline style violates'));
});

await test('text typed for a question that was answered elsewhere is offered', async () => {
  const { page } = ada;
  let course = await server.ask('/api/courses', { topic: 'Forms', curriculum: 'forms' });
  for (let turn = 0; turn < 40 && course.desk.ask.form !== 'text'; turn += 1) course = await server.ask(`/api/instances/${course.id}/verbs/${course.desk.ask.verb}`, course.desk.ask.form === 'read' ? {} : { text: "I don't know" });
  await ada.at(`/at/${course.id}`);
  await page.locator('.answer textarea').fill('half a thought');
  await server.ask(`/api/courses/${course.id}/answer`, { text: "I don't know" });
  await page.locator('.answer .notice', { hasText: 'half a thought' }).waitFor();
  await page.reload();
  await page.locator('.answer .notice', { hasText: 'half a thought' }).waitFor();
  await page.getByRole('button', { name: 'Discard it' }).click();
  await page.locator('.answer .notice').waitFor({ state: 'detached' });
});

/** Asserts that nothing is wider than its place, in any form: a wide table or line of code scrolls on its own. */
async function fits(page, asked) {
  for (const width of [1440, 1280, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const wide = await page.evaluate(() => {
      const over = (part) => part.scrollWidth - part.clientWidth;
      const places = [document.documentElement, ...document.querySelectorAll('.lesson > *, .answer, .question, .what')];
      const edge = document.querySelector('.stage').getBoundingClientRect().right;
      const beyond = [...document.querySelectorAll('.stage .editor, .stage pre, .stage table, .stage button')].filter((part) => part.getBoundingClientRect().right > edge + 1);
      return [...places.filter((part) => over(part) > 1), ...beyond].map((part) => `${part.tagName}.${part.className}: ${over(part)} px`);
    });
    assert.deepEqual(wide, [], `“${asked}” at ${width} px`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Waits until the coach's reaction to an answer is in view, or the beginning of a new lesson, which has no mark above it. */
function inSight(page, asked) {
  return until(`“${asked}” is followed by something in view`, () => page.evaluate(() => {
    const seen = (part) => { const { top, height } = part.getBoundingClientRect(); return top >= 50 && top + Math.min(height, 60) <= innerHeight; };
    const heading = document.querySelector('.read .line-heading');
    const mark = document.querySelector('.part.now');
    const isFirst = !heading || !document.querySelector('.read .ideas');
    return isFirst && (mark ? seen(mark) : heading ? seen(heading) : true);
  }));
}

/** Moves the focus to an element by Tab alone, without a click. */
async function tabTo(page, selector) {
  for (let steps = 0; steps < 120; steps += 1) {
    if (await page.evaluate((wanted) => { let at = document.activeElement; while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement; return !!at?.matches(wanted); }, selector)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`no way to ${selector} by Tab`);
}

async function byKeys(page, ask, isSure) {
  const { keyboard } = page;
  switch (ask.form) {
    case 'read': return keyboard.press('Enter');
    case 'choice': await keyboard.press(String(ask.options.findIndex((option) => option.text.includes('half a litre')) + 1)); return keyboard.press('Enter');
    case 'several': await keyboard.press('1'); return keyboard.press('Enter');
    case 'gaps': await tabTo(page, '.gaps input'); await keyboard.type('100'); return keyboard.press('Enter');
    case 'number': await tabTo(page, '.compose input'); await keyboard.type(RIGHT.number); return keyboard.press('Enter');
    case 'text': await tabTo(page, '.answer textarea'); await keyboard.type(isSure ? 'Yeast makes gas, and the dough holds the gas.' : 'There is gas in it from the yeast'); return keyboard.press('Control+Enter');
    case 'query': case 'program':
      await page.locator('.answer .editor[data-ready="true"]').waitFor();
      await tabTo(page, '.cm-content');
      await keyboard.press('Control+a');
      await keyboard.type(RIGHT[ask.form]);
      return keyboard.press('Control+Enter');
    case 'order': return inOrder(page);
    default: assert.fail(`a form without keys: ${ask.form}`);
  }
}

async function inOrder(page) {
  for (const [to, step] of RIGHT.order.entries()) {
    const at = async () => (await page.locator('.order li > span:first-child').allInnerTexts()).indexOf(step);
    for (let from = await at(); from > to; from = await at()) {
      await tabTo(page, `[data-move="${from}u"]`);
      await page.keyboard.press('Enter');
      await page.waitForFunction((place) => document.activeElement?.matches(`[data-move^="${place}"]`), from - 1);
    }
  }
  await tabTo(page, '.answer .btn.go');
  await page.keyboard.press('Enter');
}

await test('a learner with a token of her own sees only what is hers', async () => {
  const token = server.run('token', 'new', '--learner', 'bea').split(/\s+/).find((word) => word.length > 30);
  const bea = await Visitor.come(browser, server);
  const { page } = bea;
  const others = (await server.ask('/api/instances?learner=me')).instances;
  assert.ok(others.length > 3);
  await page.goto(server.url);
  await page.getByLabel('Token').fill(token);
  await page.keyboard.press('Enter');
  await page.getByLabel('What should the coach call you?').fill('Bea');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Look around first' }).click();
  await page.getByRole('heading', { name: /Bea/ }).waitFor();
  assert.equal(await page.getByRole('link', { name: /Agents/ }).count(), 0, 'agents are the owner\'s');
  for (const path of ['/', '/courses', '/inside', '/progress', '/settings', '/words', '/problems']) {
    await bea.at(path);
    await bea.axe(`${path} of a learner`);
    const shown = await page.locator('main').innerText();
    for (const word of ['sql', 'Ada', 'boiling water']) assert.ok(!shown.includes(`“${word}”`) && !new RegExp(`\\b${word}\\b`).test(shown.replace(/SQL|Sqlite/g, '')), `${path} shows ${word}`);
  }
  await bea.at('/settings');
  await page.getByText('Signed in as bea.').waitFor();
  assert.equal(await page.locator('input[type="file"]').getAttribute('accept'), '.json');
  await page.goto(`${server.url}/at/${others[0].id}`);
  await page.getByText('This page could not be loaded').waitFor();
  const status = await page.evaluate((path) => fetch(path).then((response) => response.status), `/api/instances/${others[0].id}/changes`);
  assert.equal(status, 404);
  await bea.at('/words');
  await page.locator('li', { hasText: 'German' }).getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/at\//);
  const { learner, data } = await view(page);
  assert.equal(learner, 'bea');
  await say(page, data.target.text);
  await page.getByText('used 1 of 3 times').first().waitFor();
  bea.clean();
  await bea.context.close();
});

await test('a sign-in that has expired is asked for again, and nothing typed is lost', async () => {
  const { page } = ada;
  await ada.at('/words');
  await page.locator('li', { hasText: 'French' }).getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/at\//);
  const { pathname } = new URL(page.url());
  await page.getByRole('textbox', { name: 'Your answer' }).fill('bonj');
  await ada.context.clearCookies();
  await page.keyboard.press('Enter');
  await page.getByText('its sign-in has expired').waitFor();
  await page.getByLabel('Token').fill(server.token);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === pathname);
  const field = page.getByRole('textbox', { name: 'Your answer' });
  await field.waitFor();
  assert.equal(await field.inputValue(), 'bonj');
});

await test('a server that came back with a newer version says so', async () => {
  const { page } = ada;
  await ada.at('/');
  const home = (url) => url.pathname === '/api/home';
  await page.route(home, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), version: '9.9.9' } });
  });
  await server.ask('/api/instances', { flow: 'Turnstile' });
  await page.getByText('The server has a newer version than this page.').waitFor();
  await page.unroute(home);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.locator('h1.title').waitFor();
  await page.getByText('The server has a newer version').waitFor({ state: 'detached' });
});

await test('inside: state, log, time travel and proof', async () => {
  const { page } = ada;
  const { instances } = await server.ask('/api/instances?flow=drill');
  const longest = instances.toSorted((a, b) => b.version - a.version)[0];
  await ada.at(`/inside/${longest.id}`);
  await page.locator('.st.now').waitFor();
  await page.getByText('Proved before it ran').waitFor();
  const turns = await page.locator('.turn').count();
  assert.ok(turns > 5);
  await page.locator('h1').click();
  await page.keyboard.press('Home');
  await page.getByText(`Turn 1 of ${turns}`).waitFor();
  await page.getByText('earlier', { exact: true }).waitFor();
  await page.keyboard.press('End');
  await page.getByText(`Turn ${turns} of ${turns}`).waitFor();
  await ada.axe('inside');
});

await test('playground: problems as one types, a path, steps by hand, and 200 states', async () => {
  const { page } = ada;
  await ada.at('/playground');
  await page.getByText(/Proved: \d+ configurations/).waitFor();
  const editor = page.locator('.cm-content');
  const write = async (text) => {
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.evaluate((law) => navigator.clipboard?.writeText(law).catch(() => undefined), text);
    await page.keyboard.insertText(text);
  };
  await write('session: Loop\nversion: 0.1\nstates:\n  ask:\n    entry: [say]\n    after: {20s: timeout}\n    on:\n      heard: done\n      timeout: ask\n  done: {type: final}\n');
  await page.getByText('F013').first().waitFor();
  await page.locator('.row', { hasText: 'F013' }).click();
  await page.locator('.st.hit').waitFor();
  await ada.axe('playground');
  await page.getByRole('button', { name: 'Begin', exact: true }).click();
  await page.getByRole('button', { name: 'heard', exact: true }).click();
  await page.getByText(/Ended/).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Serve it' }).isDisabled(), 'a law with a problem is not served');
  await write('session: Doorbell\nversion: 0.1\nstates:\n  quiet:\n    on: {ring: heard}\n  heard: {type: final}\n');
  await page.getByText('Proved: 2 configurations checked').waitFor();
  await page.getByRole('button', { name: 'Serve it' }).click();
  await page.getByText('Doorbell is served now').waitFor();
  const states = Array.from({ length: 200 }, (_, at) => `  S${at}:\n    on: {next: S${at + 1}}\n`).join('');
  await write(`session: Long\nversion: 0.1\nstates:\n${states}  S200: {type: final}\n`);
  await page.getByText(/Proved: 201 configurations/).waitFor();
  await write(`session: ${HOSTILE}\nversion: 1\nstates: {}\n`);
  await page.getByText(/problem/).first().waitFor();
  // The editor sets its tab size by an inline style, which the policy refuses; its theme sets the same size.
  ada.wrong = ada.wrong.filter((told) => !told.includes('Applying inline style violates'));
});

await test('a law from the playground runs, is there after a restart, and can be taken out', async () => {
  const { page } = ada;
  await server.stop();
  await server.start();
  await ada.at('/flows');
  const card = page.locator('li', { hasText: 'Doorbell' });
  await card.getByRole('button', { name: 'Open' }).click();
  await page.waitForURL(/\/at\//);
  const at = page.url();
  await ada.at('/flows');
  await card.getByRole('button', { name: 'Remove it' }).click();
  await card.waitFor({ state: 'detached' });
  await page.goto(at);
  await page.getByRole('button', { name: 'ring' }).click();
  await page.getByText('This one is finished.').waitFor();
});

await test('agents: who needs a person is on top, and the switch works', async () => {
  const { page } = ada;
  await server.ask('/api/agent/turn', { agent: 'claude-code', session: 'billing-api', text: `Should I drop the column? ${HOSTILE} Should I?` });
  await ada.at('/agents');
  await page.getByText('needs you').first().waitFor();
  await page.locator('.score mark').first().waitFor();
  await page.getByText('a question', { exact: true }).waitFor();
  await ada.axe('agents');
  await page.getByRole('switch').click();
  await page.getByText('The coach stays out of everything').waitFor();
  await page.getByRole('switch').click();
  await page.getByText('The coach may talk to agents').waitFor();
});

await test('settings: a name, a language, an export', async () => {
  const { page } = ada;
  await ada.at('/settings');
  await page.getByRole('textbox', { name: 'Your name' }).fill(HOSTILE.slice(0, 70));
  await page.keyboard.press('Tab');
  await page.getByText('Saved').first().waitFor();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
  await ada.at('/');
  await page.getByText('Am nützlichsten').or(page.getByText('Jetzt am nützlichsten')).first().waitFor();
  assert.ok((await page.locator('h1').innerText()).includes('<img'), 'a name is shown as it is');
  await ada.at('/settings');
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Undo' }).click();
  await until('the name is as before', async () => (await server.ask('/api/learners/me')).profile.name !== 'Ada');
  const concepts = JSON.stringify(mapOf('Knots', 1));
  await page.locator('input[type="file"]').setInputFiles({ name: 'knots.json', mimeType: 'application/json', buffer: Buffer.from(concepts) });
  await page.getByText('Here it is:').waitFor();
  await page.locator('input[type="file"]').setInputFiles({ name: 'no.json', mimeType: 'application/json', buffer: Buffer.from('{') });
  await page.getByText('This file is not JSON.').waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download everything' }).click()]);
  assert.equal(JSON.parse(readFileSync(await file.path(), 'utf8')).learner, 'me');
});

await test('a deck of cards comes in and goes out, and a bad file says why', async () => {
  const { page } = ada;
  await ada.at('/settings');
  const bring = (name, text) => page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await bring('cards.csv', `front,back\nzdravo,hello\nhvala,thank you\nprosim,"please ${HOSTILE.replaceAll('"', '""')}"\n`);
  await page.getByLabel('Language to learn').selectOption('sl');
  await page.getByLabel('Title').fill('Slovene');
  await ada.axe('a deck');
  await page.getByRole('button', { name: 'Import it' }).click();
  await page.getByText(/\d words have been imported, 0 with a history:/).waitFor();
  await bring('cards.csv', 'front,back\ndober,good\n');
  await page.getByRole('button', { name: 'Import it' }).click();
  await page.getByText('is there already').waitFor();
  await page.getByRole('button', { name: 'Replace it' }).click();
  await page.getByText('One word has been imported, 0 with a history:').waitFor();
  for (const [name, text, said] of [['broken.yaml', 'pack: broken\nitems: []\n', 'correct them and try again'], ['empty.apkg', 'PK', 'not an Anki package'], ['photo.jpg', 'x', '.jpg']]) {
    await bring(name, text);
    if (name.endsWith('.apkg')) await page.getByRole('button', { name: 'Import it' }).click();
    await page.getByRole('alert').getByText(said).waitFor();
    if (name.endsWith('.apkg')) await page.getByRole('button', { name: 'Cancel' }).click();
  }
  await ada.at('/words');
  await page.locator('li', { hasText: 'Slovene' }).or(page.locator('li', { hasText: 'cards' })).first().waitFor();
  await ada.at('/settings');
  await page.getByRole('combobox', { name: /A pack for Anki/ }).selectOption({ label: 'German: first words' });
  const [deck] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()]);
  assert.ok(readFileSync(await deck.path(), 'utf8').includes('Hallo'));
});

await test('hostile text runs nowhere', async () => {
  const { page } = ada;
  const { id: course } = await server.ask('/api/courses', { map: mapOf(HOSTILE, 2) });
  assert.ok(course, 'a map of hostile text is taken');
  await server.ask('/api/instances', { flow: 'Turnstile', id: 'hostile' });
  await server.ask('/api/instances/hostile/events', { event: 'coin', payload: { text: HOSTILE } });
  const { instances } = await server.ask('/api/instances?flow=teach');
  for (const path of ['/', '/courses', ...instances.map((row) => `/courses/${row.id}`), ...instances.map((row) => `/at/${row.id}`), '/inside/hostile', '/agents', '/settings']) await ada.at(path);
  await ada.at('/words');
  await page.getByRole('button', { name: 'Start' }).first().click();
  await page.waitForURL(/\/at\//);
  await say(page, HOSTILE);
  await page.locator('.part.you').last().waitFor();
  assert.equal(await page.locator('main img, main script, main iframe').count(), 0);
  ada.clean();
});

await test('a megabyte of text is kept and not sent', async () => {
  const { page } = ada;
  await page.getByRole('textbox', { name: 'Your answer' }).fill('x'.repeat(1 << 20));
  await page.getByText('Nothing was lost.').waitFor();
  const { version } = await view(page);
  await page.keyboard.press('Enter');
  assert.equal((await view(page)).version, version);
  await page.getByRole('textbox', { name: 'Your answer' }).fill('');
});

await test('palette and keys', async () => {
  const { page } = ada;
  await ada.at('/');
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Type what you want to do').fill('no such thing');
  await page.getByRole('status').getByText('Nothing by that name.').waitFor();
  await ada.axe('palette without a match');
  await page.getByPlaceholder('Type what you want to do').fill('two-sum');
  await page.getByRole('option', { name: /Two numbers that make a sum/ }).waitFor();
  await page.getByPlaceholder('Type what you want to do').fill('progr');
  await ada.axe('palette');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/progress$/);
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await page.waitForURL(/\/inside$/);
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await ada.axe('keys');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => url.pathname === '/');
});

await test('every page: light and wide in English, dark and narrow in German', async () => {
  for (const [colorScheme, width, language] of [['light', 1280, 'en'], ['dark', 320, 'de']]) {
    await server.ask('/api/learners/me', { language });
    await ada.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await ada.page.setViewportSize({ width, height: 800 });
    for (const path of PAGES) {
      await ada.at(path);
      await ada.isWide(`${path} at ${width}`);
      await ada.axe(`${path} ${colorScheme}`);
    }
  }
  await server.ask('/api/learners/me', { language: null });
  await ada.page.emulateMedia({ colorScheme: 'light' });
  await ada.page.setViewportSize({ width: 1280, height: 800 });
});

await test('the first load is small, strict and still', async () => {
  const fresh = await Visitor.come(browser, server, { storageState: await ada.context.storageState() });
  const { page } = fresh;
  const sizes = [];
  page.on('response', (response) => /\.(js|css|html|svg)$|\/$/.test(new URL(response.url()).pathname) && sizes.push(response.request().sizes().then((size) => [response.url(), size.responseBodySize])));
  await page.addInitScript(() => {
    globalThis.shifted = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => !entry.hadRecentInput && (globalThis.shifted += entry.value))).observe({ type: 'layout-shift', buffered: true });
  });
  const reply = await page.goto(server.url);
  await page.locator('h1.title').waitFor();
  await page.waitForLoadState('load');
  await page.waitForTimeout(300);
  const all = await Promise.all(sizes);
  const bytes = all.reduce((sum, [, size]) => sum + size, 0);
  console.log(`        first load: ${bytes} bytes in ${all.length} files`);
  assert.ok(bytes > 10_000 && bytes < 200_000, `${bytes} bytes`);
  const shifted = await page.evaluate(() => globalThis.shifted);
  const shown = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
  console.log(`        layout shift: ${shifted.toFixed(4)}, first paint after ${Math.round(shown)} ms`);
  assert.ok(shifted < 0.1, `shifted by ${shifted}`);
  const policy = (await reply.allHeaders())['content-security-policy'];
  assert.ok(policy.startsWith("default-src 'none'") && !/unsafe|\*/.test(policy), policy);
  fresh.clean();
  await fresh.context.close();
});

if (process.env.PICTURES) await test('pictures', () => import('./pictures.mjs').then((pictures) => pictures.take(browser, process.env.PICTURES)));

await test('everything about a learner can be deleted', async () => {
  const { page } = ada;
  await ada.at('/settings');
  await page.getByPlaceholder('Type “me” to confirm').fill('me');
  await page.getByRole('button', { name: 'Delete everything' }).click();
  await page.getByText(/Deleted: \d+ flows/).waitFor();
  assert.deepEqual((await server.ask('/api/instances?learner=me')).instances, []);
});

await test('a browser can be signed out', async () => {
  const { page } = ada;
  await ada.at('/settings');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('This browser is not signed in').waitFor();
});

await test('nothing went wrong on the way', async () => ada.clean());

await browser.close();
await server.remove();
process.exit(failures === 0 ? 0 : 1);
