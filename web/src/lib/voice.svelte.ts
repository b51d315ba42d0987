/** A flow held by voice: the microphone, the connection to the server, and the coach's voice. */
import { Away, get, Refusal } from './api';
import type { Seat } from './desk.svelte';
import * as kept from './kept';
import worklet from './listen.worklet.js?url';
import type { Answer } from './types';
import { has, t, words } from './words.svelte';

export type Phase = 'off' | 'starting' | 'listening' | 'thinking' | 'speaking' | 'waiting';
type Told =
  | { type: 'listening' | 'thinking' | 'silence' | 'hush' | 'waiting' }
  | { type: 'heard'; text: string }
  | { type: 'speaking'; text: string; role: string }
  | { type: 'turn'; text: string; answer: Answer }
  | { type: 'trouble'; message: string; cure: string };

/** Milliseconds after the button is released; if the phase is still `listening` by then, nothing was heard. */
const UNHEARD_MS = 1500;
/** The level that fills the meter. */
const LOUD = 0.25;

/** The reason why the voice does not work, and the command that helps. */
export type Trouble = { text: string; command?: string };

export class Voice {
  phase = $state<Phase>('off');
  trouble = $state<Trouble | undefined>();
  /** The loudness of the microphone, from 0 to 1. */
  level = $state(0);
  isHeld = $state(false);
  isUnheard = $state(false);
  isHandsFree = $state(kept.read('hands-free', false));
  isMuted = $state(kept.read('muted', false));
  #socket: WebSocket | undefined;
  #stream: MediaStream | undefined;
  #sound: AudioContext | undefined;
  #playing: AudioBufferSourceNode | undefined;
  /** Counts sounds played and stopped, so that a sound decoded too late is not played. */
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly seat: Seat) {}

  async begin(): Promise<void> {
    if (this.phase !== 'off') return;
    [this.phase, this.trouble, this.isUnheard] = ['starting', undefined, false];
    try {
      this.trouble = await this.#lacks();
      if (!this.trouble) await this.#listen();
      if (!this.trouble) this.#connect();
    } catch (error) {
      this.trouble = { text: why(error) };
    }
    if (this.trouble) this.end();
  }

  end(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close(1000);
    this.#hush();
    this.#stream?.getTracks().forEach((track) => track.stop());
    void this.#sound?.close();
    [this.#stream, this.#sound] = [undefined, undefined];
    [this.phase, this.level, this.isHeld] = ['off', 0, false];
    this.seat.waits(false);
  }

  /** Starts or ends a spoken answer, as the button is pressed or released. */
  hold(on: boolean): void {
    if (on === this.isHeld || !this.#socket) return;
    this.isHeld = on;
    this.isUnheard = false;
    clearTimeout(this.#timer);
    if (on) this.#hush();
    else this.#timer = setTimeout(() => (this.isUnheard = this.phase === 'listening'), UNHEARD_MS);
    this.#tell(on ? 'start' : 'stop');
  }

  /** Makes the coach stop speaking. */
  hush(): void {
    this.#hush();
    this.#tell('cancel');
  }

  setHandsFree(on: boolean): void {
    this.hold(false);
    this.isHandsFree = on;
    kept.write('hands-free', on);
  }

  setMuted(on: boolean): void {
    this.isMuted = on;
    kept.write('muted', on);
    if (on && this.#playing) this.#playing.stop();
  }

  /** Returns what keeps the voice from working here, if anything does. */
  async #lacks(): Promise<Trouble | undefined> {
    const about = await get<{ ready: boolean; command?: string }>(this.#path);
    if (!about.ready) return { text: t('voice-no-engines'), command: about.command };
    if (!navigator.mediaDevices || !window.AudioWorkletNode) return { text: t(window.isSecureContext ? 'voice-old-browser' : 'voice-not-secure') };
    return undefined;
  }

  async #listen(): Promise<void> {
    this.#stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true } });
    this.#stream.getTracks().forEach((track) => (track.onended = () => this.#fail({ text: t('voice-unplugged') })));
    this.#sound = new AudioContext();
    await this.#sound.audioWorklet.addModule(worklet);
    const listen = new AudioWorkletNode(this.#sound, 'listen');
    listen.port.onmessage = ({ data }) => this.#heard(data.pcm, data.level);
    // Its output is silent, but some browsers run a node only if it leads to the loudspeaker.
    this.#sound.createMediaStreamSource(this.#stream).connect(listen).connect(this.#sound.destination);
    await this.#sound.resume();
  }

  #connect(): void {
    const address = new URL(`${this.#path}?language=${words.language}`, location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => (typeof data === 'string' ? this.#take(JSON.parse(data) as Told) : void this.#play(data as ArrayBuffer));
    socket.onclose = ({ reason }) => socket === this.#socket && this.#ended(reason);
    this.#socket = socket;
  }

  #heard(pcm: ArrayBuffer, level: number): void {
    this.level = Math.min(1, level / LOUD);
    const isMeant = this.isHandsFree ? ['listening', 'speaking'].includes(this.phase) : this.isHeld && this.phase !== 'thinking';
    if (isMeant && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(pcm);
  }

  #take(told: Told): void {
    if (told.type === 'turn') this.seat.took(told.answer, told.text);
    else if (told.type === 'trouble') this.trouble = { text: [told.message, told.cure].join(' · ') };
    else if (told.type === 'hush') this.#hush();
    else if (['listening', 'thinking', 'speaking', 'waiting'].includes(told.type)) this.phase = told.type as Phase;
    if (told.type === 'thinking') this.isUnheard = false;
    // The result is on its way; the page waits for it instead of loading the view by itself.
    this.seat.waits(['thinking', 'heard', 'silence'].includes(told.type));
  }

  async #play(wav: ArrayBuffer): Promise<void> {
    const turn = (this.#turn += 1);
    if (this.isMuted || !this.#sound) return this.#tell('played');
    const buffer = await this.#sound.decodeAudioData(wav).catch(() => undefined);
    if (turn !== this.#turn || !this.#sound) return;
    if (!buffer) return this.#tell('played');
    const source = new AudioBufferSourceNode(this.#sound, { buffer });
    source.onended = () => turn === this.#turn && this.#tell('played');
    source.connect(this.#sound.destination);
    source.start();
    this.#playing = source;
  }

  #hush(): void {
    this.#turn += 1;
    this.#playing?.stop();
    this.#playing = undefined;
  }

  #tell(type: 'start' | 'stop' | 'cancel' | 'played'): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ type }));
  }

  /** Handles a closed connection. The server gives a code and a sentence as the reason. */
  #ended(reason: string): void {
    const [code, sentence] = reason.split(/: (.*)/s);
    if (code === 'over' || code === 'stopped') return this.end();
    const known = code && has(`voice-end-${code}`) ? t(`voice-end-${code}`) : sentence;
    this.#fail(this.trouble ?? { text: known || t('voice-lost') });
  }

  #fail(trouble: Trouble): void {
    this.trouble = trouble;
    this.end();
  }

  get #path(): string {
    return `/api/instances/${encodeURIComponent(this.seat.id)}/voice`;
  }
}

function why(error: unknown): string {
  if (error instanceof Away) return t('away');
  if (error instanceof Refusal) return error.told;
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return t('voice-denied');
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return t('voice-no-microphone');
  if (name === 'NotReadableError') return t('voice-taken');
  return t('voice-failed', { why: error instanceof Error ? error.message : String(error) });
}
