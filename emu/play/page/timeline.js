// The recording's time: where the program is, a slider to go back, and the state in words.

const STATES = {
  connecting: "Connecting",
  running: "Running",
  paused: "Paused",
  replaying: "Replaying",
  stuck: "Not answering",
  ended: "Ended",
  lost: "No connection",
};

export class Timeline {
  #send;
  #parts;
  #moment = { now: 0, last: 0, seconds: 0, state: "connecting" };
  #problem = ""; // why the program has ended
  #refusal = ""; // what the server did not do
  #wanted = null; // the moment that the slider was moved to and that was not asked for yet
  #isSeeking = false;
  #isOver = false; // whether the user has ended it

  /** `parts` are the elements: state, notice, pause, slider, moment, fork. */
  constructor(parts, send) {
    this.#parts = parts;
    this.#send = send;
    parts.slider.addEventListener("input", () => this.seek(Number(parts.slider.value)));
    parts.pause.addEventListener("click", () =>
      this.#send({ do: this.#isMoving ? "pause" : "resume" }),
    );
    parts.fork.addEventListener("click", () => this.#send({ do: "fork" }));
  }

  get state() {
    return this.#moment.state;
  }

  /** Whether the program takes what the user does, be it late, as one that computes for long. */
  get isLive() {
    return this.state === "running" || this.state === "stuck";
  }

  get #isMoving() {
    return this.isLive || this.state === "replaying";
  }

  /** Go to a moment. While one is being made again only the newest other is remembered. */
  seek(moment) {
    this.#wanted = moment;
    this.#ask();
  }

  /** Go to where a finding was found. */
  stopAt(finding) {
    this.#isSeeking = true;
    this.#send({ do: "stop_at", finding });
    this.#update();
  }

  show(message) {
    if (this.#isOver) return;
    if (message.state !== this.state) this.#refusal = "";
    this.#moment = message;
    if (message.state !== "ended") this.#problem = "";
    if (message.state !== "replaying") this.#isSeeking = false;
    this.#ask();
    this.#update();
  }

  /** The program has ended by itself, or by a problem. */
  ended({ problem, code }) {
    const sentence = problem.replace(/\.$/, "") || "The program has ended";
    this.#problem = code ? `${sentence} (exit code ${code}).` : `${sentence}.`;
    this.#moment = { ...this.#moment, state: "ended" };
    this.#isSeeking = false;
    this.#update();
  }

  /** The user wants no more of the program. */
  end() {
    this.#send({ do: "end" });
    this.lost("You have ended the run, and can close this page.");
    this.#isOver = true;
  }

  /** The server did not do what was asked. */
  refused(text) {
    this.#refusal = text;
    this.#isSeeking = false;
    this.#update();
  }

  /** The server is gone. `wasGreeted` says whether it has ever shown a program here. */
  lost(reason, wasGreeted) {
    if (this.#isOver) return;
    const gone = wasGreeted
      ? "macproof has ended, or another page shows this run. What you see is the last picture."
      : "macproof does not answer at this address. Open the one that it printed last.";
    this.#problem = reason || this.#refusal || gone;
    this.#refusal = "";
    this.#moment = { ...this.#moment, state: "lost" };
    this.#update();
  }

  #ask() {
    if (this.#wanted === null || this.#isSeeking) return;
    this.#isSeeking = true;
    this.#send({ do: "seek", moment: this.#wanted });
    this.#wanted = null;
    this.#update();
  }

  #update() {
    const { state, notice, pause, slider, fork } = this.#parts;
    const { now, last, state: name } = this.#moment;
    const isBack = now < last;
    const isLost = name === "lost" || name === "connecting";
    say(state, STATES[name] ?? name);
    state.dataset.state = name;
    say(notice, this.#sentence());
    notice.hidden = !notice.textContent;
    slider.max = last;
    if (this.#wanted === null && !this.#isSeeking) slider.value = now;
    slider.disabled = isLost || !last;
    say(this.#parts.moment, this.#clock());
    say(pause, this.#isMoving ? "Pause" : "Play");
    pause.disabled = isLost || this.#isSeeking || (name === "ended" && !isBack);
    fork.disabled = isLost || this.#isSeeking || !isBack;
  }

  #clock() {
    const { now, last, seconds } = this.#moment;
    const count = (number) => number.toLocaleString("en");
    const of = now < last ? `${count(now)} of ${count(last)}` : count(now);
    return `${seconds.toFixed(1)} s, moment ${of}`;
  }

  /** What the user has to know of the state beside its word. */
  #sentence() {
    const { now, last, state, text } = this.#moment;
    if (this.#refusal) return this.#refusal;
    if (this.#problem) {
      const more = state === "ended" && last ? " Move the slider to see what came before." : "";
      return this.#problem + more;
    }
    if (state === "stuck") {
      return text || "The program has not looked for an event for a while. Wait, or go back in time.";
    }
    if (state === "paused" && now < last) {
      return "The screen is as it was. Go on from here, or Play to see the recording again.";
    }
    return state === "paused" ? "The program stands still until you press Play." : "";
  }
}

/** Set a text only if it is another, so that a reader of screens does not repeat it. */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
