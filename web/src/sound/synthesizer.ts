/**
 * Plays notes with the Web Audio API; there are no sound files.
 *
 * Browsers allow no sound before the first click or key on the page, so the audio context is made after it.
 */
import { settings } from "../ui/settings.svelte";
import { SOUNDS, type Note, type SoundName } from "./sounds";

const ATTACK_S = 0.004;
const MASTER_LEVEL = 0.5;
let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** Make or wake the audio context, if the browser allows it now; null if there is no sound. */
function audio(): AudioContext | null {
  if (!settings.sound || settings.volume === 0 || typeof AudioContext === "undefined") return null;
  if (!navigator.userActivation.hasBeenActive) return null;
  try {
    context ??= new AudioContext({ latencyHint: "interactive" });
    if (context.state === "suspended") void context.resume().catch(() => undefined);
    return context;
  } catch {
    return null;
  }
}

/** Play a sound after a delay; return a function that silences it. */
export function playSound(name: SoundName, delayMs = 0): () => void {
  const output = audio();
  if (!output) return () => {};
  const master = output.createGain();
  // loudness grows with the square of the level, so the slider feels even
  master.gain.value = MASTER_LEVEL * (settings.volume / 100) ** 2;
  master.connect(output.destination);
  const start = output.currentTime + delayMs / 1000;
  const sources = SOUNDS[name].map((one) => playNote(output, master, one, start + one.at / 1000));
  Promise.all(sources.map((source) => new Promise((done) => (source.onended = done)))).then(
    () => master.disconnect(),
    () => undefined,
  );
  return () => master.disconnect();
}

function playNote(
  output: AudioContext,
  master: AudioNode,
  { wave, ms, from, to, level }: Note,
  start: number,
): AudioScheduledSourceNode {
  const end = start + ms / 1000;
  const envelope = output.createGain();
  envelope.gain.setValueAtTime(0, start);
  envelope.gain.linearRampToValueAtTime(level, start + ATTACK_S);
  envelope.gain.exponentialRampToValueAtTime(0.001, end);
  envelope.connect(master);
  const sweep = (pitch: AudioParam): void => {
    pitch.setValueAtTime(from, start);
    pitch.exponentialRampToValueAtTime(to, end);
  };
  let source: OscillatorNode | AudioBufferSourceNode;
  if (wave === "noise") {
    const filter = output.createBiquadFilter();
    filter.type = "lowpass";
    sweep(filter.frequency);
    filter.connect(envelope);
    source = output.createBufferSource();
    source.buffer = noise ??= whiteNoise(output);
    source.connect(filter);
  } else {
    source = output.createOscillator();
    source.type = wave;
    sweep(source.frequency);
    source.connect(envelope);
  }
  source.start(start);
  source.stop(end);
  return source;
}

/** One second of noise. */
function whiteNoise(output: AudioContext): AudioBuffer {
  const buffer = output.createBuffer(1, output.sampleRate, output.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  return buffer;
}
