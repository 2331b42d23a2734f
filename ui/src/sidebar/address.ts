/** Whether what was typed is the address of a repository and no folder: with a scheme, or as ssh and scp write it. */
export function isAddress(text: string): boolean {
  const typed = text.trim();
  if (/^(https?|ssh|git|file|git\+ssh|ftps?):\/\/\S+/i.test(typed)) return true;
  if (/^[~./\\]/.test(typed) || /^[a-z]:[\\/]/i.test(typed)) return false;
  // user@host:path, or host.example:path; a lone word before the colon may be an alias of ssh's configuration.
  return (
    /^([\w.-]+@)?[\w-]+(\.[\w-]+)*:(?!\/\/)[^\s:]+$/.test(typed) ||
    /^[\w-]+(\.[\w-]+)+\/\S+\/\S+$/.test(typed)
  );
}

/** The same as git takes it: hosts are written without a scheme where people copy them from. */
export function asAddress(text: string): string {
  const typed = text.trim();
  const bare = /^[\w-]+(\.[\w-]+)+\/\S+\/\S+$/.test(typed);
  return bare ? `https://${typed}` : typed;
}

/** The repository's name, as its directory will be called. */
export function repositoryName(address: string): string {
  return (
    address
      .trim()
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .replace(/\.git$/i, '')
      .split(/[/:\\]/)
      .at(-1) ?? ''
  );
}
