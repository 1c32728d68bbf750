const RATE = 8_000;
const HEADER = 44;

/** A WAV file of so many milliseconds of silence, as base64: mono, 8 bits, 8 kHz. */
export function silence(ms: number): string {
  const samples = (RATE * ms) / 1_000;
  // In 8 bits the middle, 128, is silence.
  const file = Buffer.alloc(HEADER + samples, 128);
  file.write("RIFF", 0);
  file.writeUInt32LE(HEADER - 8 + samples, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write("data", 36);
  file.writeUInt32LE(samples, 40);
  return file.toString("base64");
}
