/** Converts the sound of the microphone to 16-bit samples at 16 kHz, and posts frames of 32 ms, each with its loudness. */
const RATE = 16_000;
const FRAME = 512;
/** Zero crossings of the filter on each side of a sample. */
const CROSSINGS = 8;

class Listen extends AudioWorkletProcessor {
  constructor() {
    super();
    this.step = sampleRate / RATE;
    this.half = Math.ceil(CROSSINGS * Math.max(1, this.step));
    this.kept = new Float32Array(this.half);
    this.at = this.half;
    this.begin();
  }

  begin() {
    [this.frame, this.length, this.power] = [new Int16Array(FRAME), 0, 0];
  }

  process([input]) {
    if (input[0]) this.hear(input[0]);
    return true;
  }

  hear(samples) {
    const all = new Float32Array(this.kept.length + samples.length);
    all.set(this.kept);
    all.set(samples, this.kept.length);
    for (; this.at + this.half < all.length; this.at += this.step) this.add(this.step === 1 ? all[this.at] : this.sample(all));
    const from = Math.max(0, Math.floor(this.at) - this.half);
    this.kept = all.slice(from);
    this.at -= from;
  }

  /** Computes one sample at the new rate, with a windowed sinc filter that removes frequencies too high for that rate. */
  sample(all) {
    const middle = Math.floor(this.at);
    const cutoff = Math.min(1, 1 / this.step);
    let sum = 0;
    for (let near = middle - this.half + 1; near <= middle + this.half; near += 1) {
      const distance = near - this.at;
      const x = Math.PI * distance * cutoff;
      sum += (all[near] ?? 0) * cutoff * (Math.abs(x) < 1e-6 ? 1 : Math.sin(x) / x) * (0.5 + 0.5 * Math.cos((Math.PI * distance) / this.half));
    }
    return sum;
  }

  add(sample) {
    const within = Math.max(-1, Math.min(1, sample));
    this.frame[this.length] = within * 32_767;
    this.power += within * within;
    this.length += 1;
    if (this.length < FRAME) return;
    const level = Math.sqrt(this.power / FRAME);
    this.port.postMessage({ pcm: this.frame.buffer, level }, [this.frame.buffer]);
    this.begin();
  }
}

registerProcessor('listen', Listen);
