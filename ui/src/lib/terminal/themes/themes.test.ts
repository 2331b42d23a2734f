import { describe, expect, it } from 'vitest';
import { contrast } from '../theme';
import { BUILT_IN, ownTheme, readTheme, ThemeError } from '../themes';

describe('built-in themes', () => {
  it.each(BUILT_IN.map((theme) => [theme.id, theme] as const))('%s is whole and can be read', (_, theme) => {
    expect(ownTheme(theme)).toEqual(theme);
    // What a theme's makers chose; below 3 nobody could read it. Colours that are fainter are lifted while drawing.
    expect(contrast(theme.palette.foreground, theme.palette.background)).toBeGreaterThanOrEqual(4);
    expect(contrast(theme.palette.cursor, theme.palette.cursorText)).toBeGreaterThanOrEqual(3);
  });

  it('have names of their own', () => {
    expect(new Set(BUILT_IN.map(({ id }) => id)).size).toBe(BUILT_IN.length);
    expect(BUILT_IN.length).toBeGreaterThanOrEqual(10);
  });

  it('know dark from light', () => {
    for (const { id, palette } of BUILT_IN) {
      if (/dark|mocha|night|nord|dracula|monokai|pine/.test(id)) expect(palette.dark, id).toBe(true);
      if (/light|latte/.test(id)) expect(palette.dark, id).toBe(false);
    }
  });
});

const numbered = (line: (at: number) => string, count = 16) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');
const hex = (at: number) => `${(at * 16 + 1).toString(16).padStart(2, '0')}2030`;

describe('theme files', () => {
  it('of xterm, with names and all ways to write a colour', () => {
    const text = `! a comment
#define ink #c0ffee
*.foreground: ink
URxvt*background:rgb:00/11/2222
*cursorColor: #fff
${numbered((at) => `*.color${at}:   #${hex(at)}`)}
xterm*color16: #123456`;
    const { name, id, palette } = readTheme('/home/me/My Theme.Xresources', text);
    expect([name, id]).toEqual(['My Theme', 'own-my-theme']);
    expect(palette).toMatchObject({
      foreground: '#c0ffee',
      background: '#001122',
      cursor: '#ffffff',
      dark: true,
    });
    expect(palette.ansi[11]).toBe(`#${hex(11)}`);
  });

  it('of Ghostty', () => {
    const text = `background = fdf6e3\nforeground = 111111\nselection-background = #abcdef\n${numbered(
      (at) => `palette = ${at}=#${hex(at)}`,
    )}`;
    const { palette } = readTheme('paper', text);
    expect(palette).toMatchObject({ background: '#fdf6e3', dark: false, selection: '#abcdef4d' });
    expect(palette.ansi[15]).toBe(`#${hex(15)}`);
  });

  it('of iTerm', () => {
    const dict = (r: number, g: number, b: number) =>
      `<dict><key>Blue Component</key><real>${b}</real><key>Green Component</key><real>${g}</real><key>Red Component</key><real>${r}</real></dict>`;
    const text = `<plist version="1.0"><dict>${numbered((at) => `<key>Ansi ${at} Color</key>${dict(at / 15, 0, 1)}`)}
<key>Background Color</key>${dict(0, 0, 0)}<key>Foreground Color</key>${dict(1, 1, 1)}</dict></plist>`;
    const { palette } = readTheme('x.itermcolors', text);
    expect(palette.ansi[15]).toBe('#ff00ff');
    expect(palette).toMatchObject({ background: '#000000', foreground: '#ffffff' });
  });

  it('with eight colours use them twice', () => {
    const text = `*background: #000000\n*foreground: #ffffff\n${numbered((at) => `*color${at}: #${hex(at)}`, 8)}`;
    expect(readTheme('x', text).palette.ansi[9]).toBe(`#${hex(1)}`);
  });

  it.each([
    ['nothing', ''],
    ['another file', 'PATH=/usr/bin\nsome: text\n'],
    ['no ground', numbered((at) => `*color${at}: #${hex(at)}`)],
    ['too few colours', `*background: #000000\n*foreground: #ffffff\n*color0: #000000`],
    ['far too much', 'x'.repeat(300_000)],
  ])('that have %s are refused', (_, text) => {
    expect(() => readTheme('x', text)).toThrow(ThemeError);
  });
});
