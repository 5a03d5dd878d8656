// The sounds of moves, which are off until a person turns them on. They are made, not loaded.
import type { Position } from "../board/position";

const KEY = "triarch-sound";

/** The tones of an event: pitch in Hz, and when they begin and how long they last in seconds. */
type Tones = readonly (readonly [pitch: number, start: number, length: number])[];
const MOVE: Tones = [[330, 0, 0.07]];
const CAPTURE: Tones = [[220, 0, 0.06], [165, 0.05, 0.1]];
const CHECK: Tones = [[523, 0, 0.09], [659, 0.09, 0.12]];
const END: Tones = [[392, 0, 0.15], [330, 0.15, 0.15], [262, 0.3, 0.35]];

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

class Sound {
  isOn = $state(stored());
  #context: AudioContext | null = null;

  toggle(): void {
    this.isOn = !this.isOn;
    try {
      localStorage.setItem(KEY, this.isOn ? "on" : "off");
    } catch {
      // Then it is so until the page is closed.
    }
    if (this.isOn) this.#play(MOVE);
  }

  /** Sounds as what has happened between two positions that follow each other. */
  tell(before: Position, after: Position): void {
    if (!this.isOn) return;
    if (after.toMove === null) this.#play(END);
    else if (after.checks.length > 0) this.#play(CHECK);
    else if (after.pieces.size < before.pieces.size) this.#play(CAPTURE);
    else this.#play(MOVE);
  }

  #play(tones: Tones): void {
    this.#context ??= new AudioContext();
    const context = this.#context;
    void context.resume();
    for (const [pitch, start, length] of tones) {
      const at = context.currentTime + start;
      const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
      const volume = new GainNode(context, { gain: 0 });
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(0.25, at + 0.01);
      volume.gain.exponentialRampToValueAtTime(0.001, at + length);
      tone.connect(volume).connect(context.destination);
      tone.start(at);
      tone.stop(at + length);
    }
  }
}

export const sound = new Sound();
