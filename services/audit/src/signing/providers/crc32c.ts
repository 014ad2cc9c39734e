/** Castagnoli's polynomial, its bits in reverse. */
const polynomial = 0x82f63b78;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ polynomial : sum >>> 1;
  return sum;
});

/** CRC-32C of bytes (RFC 3720, appendix B.4), as Google's services check what they are sent. */
export const crc32c = (bytes: Uint8Array): number => {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
};
