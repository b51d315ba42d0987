/** Tests a drill by voice in a real browser. PROGRAM is the program, CHROMIUM the browser, MODELS the engines, and SOUND a
 *  file that stands in for the microphone: it repeats the first word of the pack. */
import assert from 'node:assert/strict';
import { browse, PATIENCE, Server, until, Visitor } from './place.mjs';

const DEVICE = ['--use-fake-device-for-media-stream', `--use-file-for-fake-audio-capture=${process.env.SOUND}`];

process.env.ETUDE_VOICE_MODELS = '/nowhere';
const server = new Server(process.env.PROGRAM, []);
await server.start();
const open = [];
try {
  await hold();
  console.log('ok      a drill by voice');
} finally {
  // Leaves nothing running, whatever happened.
  await Promise.all(open.map((browser) => browser.close()));
  await server.remove();
}

async function hold() {
  const browser = await browse(...DEVICE, '--use-fake-ui-for-media-stream');
  open.push(browser);
  const ada = await Visitor.come(browser, server);
  // The engines load during the test, which takes long on a busy machine.
  ada.context.setDefaultTimeout(3 * PATIENCE);
  const { page } = ada;
  await ada.signIn();
  const { id } = await server.ask('/api/drills', { pack: 'german-first-words', new_words: 3 });
  const view = () => server.ask(`/api/instances/${id}`);
  const status = (text) => page.getByRole('status').getByText(text).waitFor();
  const speak = () => page.getByRole('button', { name: 'Speak', exact: true });

  // Without the engines the page says which command helps, and typing works.
  await ada.at(`/at/${id}`);
  await speak().click();
  await page.getByText('etude voice setup').waitFor();
  await ada.axe('a voice without engines');

  // From here on, the server has the engines.
  await server.stop();
  process.env.ETUDE_VOICE_MODELS = process.env.MODELS;
  await server.start();
  await page.reload();
  const [sounds, turns] = [[], []];
  const received = ({ payload }) => {
    if (typeof payload !== 'string') return sounds.push(payload);
    const told = JSON.parse(payload);
    if (told.type === 'turn') turns.push(told);
  };
  page.on('websocket', (socket) => socket.on('framereceived', received));
  await speak().click();
  await status('The coach is speaking');
  await ada.axe('a voice that speaks');
  await page.getByRole('button', { name: 'Interrupt the coach' }).click();
  await status('Your turn');
  await ada.axe('a voice that waits');
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/voice.png` });

  // Holds the button or key for one word. It waits until the meter shows the end of a word, so that the next one is whole.
  const isLoud = async () => Number(await page.locator('.meter .loud').getAttribute('width')) > 0;
  const turn = async (device, key) => {
    const before = turns.length;
    await until('the microphone hears something', isLoud);
    await until('the word ends', async () => !(await isLoud()));
    await device.down(key);
    await until('a turn', async () => turns.length > before);
    await device.up(key);
    return turns[before];
  };

  // With the mouse: holds the button until the word counts.
  const hold = page.getByRole('button', { name: 'Hold to speak' });
  await until('the word counts', async () => {
    await hold.hover();
    const { text, answer } = await turn(page.mouse);
    assert.ok(!answer.outcome, `the drill is over before the word was heard; heard at last: ${text}`);
    return answer.counters.usage === 1;
  });
  await page.locator('.part.you').last().waitFor();
  await page.getByText('used 1 of 3 times').first().waitFor();
  const isHeard = (sound) => sound.subarray(0, 4).toString() === 'RIFF' && sound.length > 10_000;
  await until('the coach is heard', async () => sounds.some(isHeard));

  // The space bar works like the button, and stops the coach from speaking.
  await page.locator('h1').click();
  await turn(page.keyboard, ' ');

  // Hands-free the page listens by itself; a muted coach is silent.
  const at = (await view()).version;
  await page.getByRole('button', { name: 'Mute the coach' }).click();
  await page.getByRole('button', { name: 'Hands-free' }).click();
  await until('it goes on by itself', async () => (await view()).version > at);
  await page.getByRole('button', { name: 'Microphone off' }).click();
  await speak().waitFor();
  await server.ask('/api/learners/me', { language: 'de' });
  await page.setViewportSize({ width: 320, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  if (!(await view()).outcome) {
    await page.getByRole('button', { name: 'Sprechen' }).click();
    await page.getByRole('button', { name: 'Mikrofon aus' }).waitFor();
    await ada.isWide('a voice at 320');
    await ada.axe('a voice in the dark');
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/voice-dark.png` });
  }
  ada.clean();
  await browser.close();

  // A browser that may not listen says so.
  const deaf = await browse(...DEVICE, '--use-fake-ui-for-media-stream=deny');
  open.push(deaf);
  const bob = await Visitor.come(deaf, server);
  await bob.page.goto(server.url);
  await bob.page.getByLabel('Token').fill(server.token);
  await bob.page.getByRole('button', { name: 'Sign in' }).click();
  await bob.page.getByLabel('Token').waitFor({ state: 'detached' });
  const { id: other } = await server.ask('/api/drills', { pack: 'spanish-first-words', learner: 'bob' });
  await bob.at(`/at/${other}`);
  await bob.page.getByRole('button', { name: /^(Speak|Sprechen)$/ }).click();
  await bob.page.getByText(/does not let this page use the microphone|erlaubt dieser Seite das Mikrofon nicht/).waitFor();
  await bob.page.getByRole('textbox').first().waitFor();
  bob.clean();
}
