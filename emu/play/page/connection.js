// The connection to macproof: JSON in both directions, and pixels from the server.

// Sizes of the header of a frame of pixels, in bytes: kind, screen, left, top, width, height.
const HEADER = 10;
const PIXELS = 1;

// A page that is loaded again may come before the server has let go of the old one.
const TRIES = 4;
const WAIT = 900;

/** A rectangle of one screen, with its pixels as RGBA; null if the frame is not a whole one. */
export function decodeFrame(buffer) {
  if (buffer.byteLength < HEADER) return null;
  const view = new DataView(buffer);
  if (view.getUint8(0) !== PIXELS) return null;
  const [left, top, width, height] = [2, 4, 6, 8].map((at) => view.getUint16(at, true));
  if (!width || !height || buffer.byteLength !== HEADER + width * height * 4) return null;
  const pixels = new Uint8ClampedArray(buffer, HEADER);
  return { screen: view.getUint8(1), left, top, width, height, pixels };
}

export class Connection {
  #handlers;
  #socket;
  #tries = 0;
  #wasGreeted = false;

  /** `handlers` has a function for each kind of message, by its name in "is". */
  constructor(handlers) {
    this.#handlers = handlers;
    this.#open();
  }

  /** Whether the server hears what is sent. */
  get isOpen() {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  send(message) {
    if (this.isOpen) this.#socket.send(JSON.stringify(message));
  }

  #open() {
    // The token is in this page's own address.
    const address = new URL(`ws${location.search}`, location.href);
    address.protocol = "ws:";
    this.#socket = new WebSocket(address);
    this.#socket.binaryType = "arraybuffer";
    this.#socket.addEventListener("message", (event) => this.#receive(event.data));
    this.#socket.addEventListener("close", (event) => this.#closed(event));
  }

  #receive(data) {
    if (data instanceof ArrayBuffer) {
      const frame = decodeFrame(data);
      if (frame) this.#handlers.pixels(frame);
      return;
    }
    const message = JSON.parse(data);
    if (message.is === "hello") {
      this.#wasGreeted = true;
      this.#tries = 0;
    }
    if (Object.hasOwn(this.#handlers, message.is)) this.#handlers[message.is](message);
  }

  #closed(event) {
    this.#tries += 1;
    if (event.reason || this.#tries >= TRIES) {
      this.#handlers.lost(event.reason, this.#wasGreeted);
    } else {
      setTimeout(() => this.#open(), WAIT);
    }
  }
}
