/** Binary columns of the server, read in place: see docs/serve.md for their form. */

const HEADER = 16;

/** @param {DataView} bytes @param {string} magic */
function header(bytes, magic) {
  const found = String.fromCharCode(...new Uint8Array(bytes.buffer, 0, 4));
  if (found !== magic) throw new Error(`The server sent ${found} where ${magic} was expected; reload this page.`);
  return [1, 2, 3].map((place) => bytes.getUint32(place * 4, true));
}

/** Harvest rates over pages. @param {DataView} bytes */
export function readCurve(bytes) {
  const [size] = header(bytes, 'HGC1');
  const floats = (place) => new Float32Array(bytes.buffer, HEADER + 4 * size * place, size);
  return { pages: new Uint32Array(bytes.buffer, HEADER, size), last50: floats(1), last500: floats(2), all: floats(3) };
}

/**
 * Dots on a grid: what has changed since a visit.
 * @param {DataView} bytes
 */
export function readCells(bytes) {
  const [size, width, last] = header(bytes, 'HGG1');
  const [columns, rows, mark] = [16, 20, 24].map((place) => bytes.getUint32(place, true));
  const start = 32 + 8 * columns;
  const column = (/** @type {number} */ place) => new Uint32Array(bytes.buffer, start + 4 * size * place, size);
  return {
    width, last, rows, mark, times: new Float64Array(bytes.buffer, 32, columns),
    places: column(0), pages: column(1), newest: column(2),
  };
}

/** All cells of a crawl as they are known here, kept up by what changes. */
export class Cells {
  constructor() {
    /** @type {Map<number, {pages: number, newest: number}>} */
    this.known = new Map();
    this.last = 0;
    this.width = 1;
    this.rows = 1;
    this.mark = -1;
    /** @type {Float64Array} */
    this.times = new Float64Array(0);
  }

  /** Take in what the server sent; false: it must be asked for everything. @param {ReturnType<typeof readCells>} read */
  take(read) {
    if (this.last && (read.width !== this.width || read.mark !== this.mark || read.last < this.last)) {
      this.known.clear();
      this.last = 0;
      return false;
    }
    ({ width: this.width, mark: this.mark, last: this.last, rows: this.rows, times: this.times } = read);
    read.places.forEach((place, at) => this.known.set(place, { pages: read.pages[at], newest: read.newest[at] }));
    return true;
  }

  /** The time at which a page had come, about. @param {number} page */
  timeOf(page) {
    return this.times[Math.max(0, Math.min(this.times.length - 1, Math.floor((page - 1) / this.width)))] || 0;
  }
}
