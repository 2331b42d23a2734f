/**
 * The one way for pasted text into a program, from people and from code. A paste must not be able to press keys: no
 * escape sequences (so no early end of the bracket either), no control characters but tab and the end of a line.
 */
export function sanitisePaste(text: string): string {
  return (
    text
      .replace(/\r\n?|\n/g, '\r')
      // C0 but tab and carriage return, DEL and C1.
      .replace(/[\u0000-\u0008\u000a-\u000c\u000e-\u001f\u007f-\u009f]/g, '')
      .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
  );
}

/** A program without bracketed paste takes the end of each line as Enter: the person is asked first. */
export function needsConfirmation(sanitised: string, bracketed: boolean): boolean {
  return !bracketed && sanitised.includes('\r');
}

export function bracket(sanitised: string, bracketed: boolean): string {
  return bracketed ? `\x1b[200~${sanitised}\x1b[201~` : sanitised;
}
