/** Schemes that are opened; files, commands and other programs' schemes are not. */
const OPENED = new Set(['http:', 'https:', 'mailto:']);
/** Longest address that is opened, in characters. */
const LONGEST = 2048;

/** The address as it would be opened, or nothing where it will not be. */
export function openable(address: string): string | undefined {
  if (address.length > LONGEST) return undefined;
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return undefined;
  }
  if (!OPENED.has(url.protocol)) return undefined;
  // `https://bank.example@evil.example` reads as another place than it leads to.
  if (url.protocol !== 'mailto:' && (url.username || url.password)) return undefined;
  return url.href;
}
