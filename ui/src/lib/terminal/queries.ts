import type { IDisposable, Terminal } from '@xterm/xterm';

/**
 * Takes every query out of what the terminal parses, by its public interface: device attributes, status and cursor
 * reports, mode reports, window reports, settings and colours. The daemon strips them already and answers them itself;
 * two terminals that answer would type garbage into the program.
 */
export function swallowQueries(terminal: Terminal): IDisposable[] {
  const { parser } = terminal;
  const swallow = () => true;
  const first = (params: (number | number[])[]) => (typeof params[0] === 'number' ? params[0] : 0);
  const asked = (data: string) => data.split(';').includes('?');
  return [
    parser.registerCsiHandler({ final: 'c' }, swallow),
    parser.registerCsiHandler({ prefix: '>', final: 'c' }, swallow),
    parser.registerCsiHandler({ prefix: '=', final: 'c' }, swallow),
    parser.registerCsiHandler({ final: 'n' }, swallow),
    parser.registerCsiHandler({ prefix: '?', final: 'n' }, swallow),
    parser.registerCsiHandler({ prefix: '>', final: 'q' }, swallow),
    parser.registerCsiHandler({ prefix: '?', final: 'u' }, swallow),
    parser.registerCsiHandler({ intermediates: '$', final: 'p' }, swallow),
    parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, swallow),
    // 11 to 21 report; 22 and 23 keep the title, which the daemon knows better.
    parser.registerCsiHandler({ final: 't' }, (params) => first(params) >= 11 && first(params) <= 23),
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, swallow),
    parser.registerDcsHandler({ intermediates: '+', final: 'q' }, swallow),
    ...[4, 5, 10, 11, 12, 13, 14, 17, 19].map((code) => parser.registerOscHandler(code, asked)),
    // The clipboard is the daemon's business; see ClipboardWrite.
    parser.registerOscHandler(52, swallow),
  ];
}
