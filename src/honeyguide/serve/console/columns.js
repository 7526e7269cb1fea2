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
