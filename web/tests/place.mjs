/** A real server, a real browser, and helpers for every test. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

/** Milliseconds until a wait counts as failed. On any machine, only a fault takes this long. */
export const PATIENCE = 60_000;
/** Text that must be shown and must not do anything. */
export const HOSTILE = '<img src=x onerror="alert(1)"><script>alert(2)</script>[x](javascript:alert(3)) **bold** $x^2$ ‮אב😀';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export class Server {
  constructor(program, laws, settings = '') {
    Object.assign(this, { program, laws, data: mkdtempSync(join(tmpdir(), 'etude-web-')), port: 0 });
    writeFileSync(join(this.data, 'config.toml'), settings);
  }

  /** Makes a server with a model that says hostile things, or with `pauseMs` answers slowly. */
  static async withModel(program, pauseMs = 0) {
    const model = spawn(process.execPath, [new URL('model.mjs', import.meta.url).pathname], { env: { ...process.env, PAUSE_MS: String(pauseMs) }, stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = await once(createInterface({ input: model.stdout }), 'line');
    const server = new Server(program, [], `[model]\npreset = "openai-compatible"\nbase_url = "http://127.0.0.1:${port}/v1"\nmodel = "hostile"\napi_key = "none"\n`);
    return Object.assign(server, { model });
  }

  /** Starts the program, at the same address as before if it ran before. */
  async start() {
    const laws = this.laws.flatMap((law) => ['--law', law]);
    this.child = spawn(this.program, ['--config', join(this.data, 'config.toml'), 'serve', '--address', `127.0.0.1:${this.port}`, ...laws], { env: { ...process.env, ETUDE_DATA: this.data, TZ: 'UTC' }, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: this.child.stdout });
    for await (const line of lines) {
      const [, url] = /listens on (http:\S+)/.exec(line) ?? [];
      const [, once] = /once: http:\/\/[^/]+(\S+)/.exec(line) ?? [];
      if (url) [this.url, this.port] = [url, Number(new URL(url).port)];
      if (once) return void (this.once = once);
    }
    throw new Error('the server did not start');
  }

  async stop() {
    const ended = new Promise((done) => this.child.once('exit', done));
    this.child.kill('SIGTERM');
    await ended;
  }

  async remove() {
    if (this.child.exitCode === null) await this.stop();
    this.model?.kill();
    rmSync(this.data, { recursive: true, force: true });
  }

  /** Runs a command in a terminal, as another program of the same learner. */
  run(...words) {
    const { stdout, stderr, status } = spawnSync(this.program, words, { env: { ...process.env, ETUDE_DATA: this.data, TZ: 'UTC' }, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout;
  }

  get token() {
    return readFileSync(join(this.data, 'token'), 'utf8').trim();
  }

  async ask(path, body) {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const response = await fetch(this.url + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
    return response.json();
  }
}

export const browse = (...more) => chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-proxy-server', ...more],
});

/** A separate browser that records everything that must not happen. */
export class Visitor {
  static async come(browser, server, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(PATIENCE);
    const visitor = new Visitor();
    Object.assign(visitor, { context, server, wrong: [], foreign: [] });
    visitor.page = await visitor.tab();
    return visitor;
  }

  async tab() {
    const page = await this.context.newPage();
    page.on('pageerror', (error) => this.wrong.push(`error: ${error.message}`));
    page.on('console', (told) => told.type() === 'error' && !/Failed to load resource|ERR_/.test(told.text()) && this.wrong.push(`console: ${told.text()}`));
    page.on('dialog', (dialog) => (this.wrong.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
    page.on('request', (request) => !request.url().startsWith(this.server.url) && !/^(data|blob):/.test(request.url()) && this.foreign.push(request.url()));
    return page;
  }

  async signIn() {
    await this.page.goto(this.server.url + this.server.once);
    await this.page.waitForURL(/\/(first)?$/);
  }

  /** Opens a page and waits until it shows something. */
  async at(path, page = this.page) {
    await page.goto(this.server.url + path);
    await page.locator('h1').first().waitFor({ state: 'attached' });
    await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
  }

  /** Asserts that axe finds nothing serious on the page. */
  async axe(name) {
    await this.page.evaluate(AXE);
    const { violations } = await this.page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
    const serious = violations.filter((violation) => ['serious', 'critical'].includes(violation.impact));
    assert.deepEqual(serious.map((violation) => `${violation.id}: ${violation.nodes[0]?.html.slice(0, 160)}`), [], `axe on ${name}`);
  }

  async isWide(name) {
    const wide = await this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 1, `${name} is ${wide} px too wide`);
  }

  clean() {
    assert.deepEqual(this.wrong, [], 'nothing went wrong in the page');
    assert.deepEqual(this.foreign, [], 'nothing was asked of others');
  }
}

/** Repeats a check until it returns something, and fails after `PATIENCE`. */
export async function until(what, holds) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const found = await holds();
    if (found) return found;
    assert.ok(Date.now() < end, `${what}: it never came`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
