import { DARK, LIGHT, type Palette } from '../theme';
import { paletteOf } from './palette';

export interface NamedTheme {
  /** As the settings name it. */
  id: string;
  /** As people call it. */
  name: string;
  palette: Palette;
}

/** Ground, text, and the sixteen colours, each in six digits. */
function theme(
  id: string,
  name: string,
  background: string,
  foreground: string,
  sixteen: string,
): NamedTheme {
  const ansi = sixteen.split(' ').map((color) => `#${color}`);
  return {
    id,
    name,
    palette: paletteOf({ background: `#${background}`, foreground: `#${foreground}`, ansi }),
  };
}

const SOLARIZED =
  '073642 dc322f 859900 b58900 268bd2 d33682 2aa198 eee8d5 002b36 cb4b16 586e75 657b83 839496 6c71c4 93a1a1 fdf6e3';

/** Belfry's own first; then, by name, themes that many people use elsewhere, with the values that their makers publish. */
export const BUILT_IN: readonly NamedTheme[] = [
  { id: 'belfry-dark', name: 'Belfry dark', palette: DARK },
  { id: 'belfry-light', name: 'Belfry light', palette: LIGHT },
  theme(
    'high-contrast-dark',
    'High contrast dark',
    '000000',
    'ffffff',
    '4d4d4d ff6b6b 5cff7a ffe14d 73a8ff ff8cff 4df3ff f2f2f2 a6a6a6 ff9e9e 9dffad fff08a a8c8ff ffb8ff 9af8ff ffffff',
  ),
  theme(
    'high-contrast-light',
    'High contrast light',
    'ffffff',
    '000000',
    '000000 8f0000 005200 5c4300 002f9e 6b0078 004d57 454545 525252 a80000 006b00 6b5000 0039c2 7d008c 005c69 262626',
  ),
  theme(
    'catppuccin-latte',
    'Catppuccin Latte',
    'eff1f5',
    '4c4f69',
    '5c5f77 d20f39 40a02b df8e1d 1e66f5 ea76cb 179299 acb0be 6c6f85 d20f39 40a02b df8e1d 1e66f5 ea76cb 179299 bcc0cc',
  ),
  theme(
    'catppuccin-mocha',
    'Catppuccin Mocha',
    '1e1e2e',
    'cdd6f4',
    '45475a f38ba8 a6e3a1 f9e2af 89b4fa f5c2e7 94e2d5 bac2de 585b70 f38ba8 a6e3a1 f9e2af 89b4fa f5c2e7 94e2d5 a6adc8',
  ),
  theme(
    'dracula',
    'Dracula',
    '282a36',
    'f8f8f2',
    '21222c ff5555 50fa7b f1fa8c bd93f9 ff79c6 8be9fd f8f8f2 6272a4 ff6e6e 69ff94 ffffa5 d6acff ff92df a4ffff ffffff',
  ),
  theme(
    'github-dark',
    'GitHub dark',
    '0d1117',
    'c9d1d9',
    '484f58 ff7b72 3fb950 d29922 58a6ff bc8cff 39c5cf b1bac4 6e7681 ffa198 56d364 e3b341 79c0ff d2a8ff 56d4dd f0f6fc',
  ),
  theme(
    'github-light',
    'GitHub light',
    'ffffff',
    '24292f',
    '24292f cf222e 116329 4d2d00 0969da 8250df 1b7c83 6e7781 57606a a40e26 1a7f37 633c01 218bff a475f9 3192aa 8c959f',
  ),
  theme(
    'gruvbox-dark',
    'Gruvbox dark',
    '282828',
    'ebdbb2',
    '282828 cc241d 98971a d79921 458588 b16286 689d6a a89984 928374 fb4934 b8bb26 fabd2f 83a598 d3869b 8ec07c ebdbb2',
  ),
  theme(
    'gruvbox-light',
    'Gruvbox light',
    'fbf1c7',
    '3c3836',
    'fbf1c7 cc241d 98971a d79921 458588 b16286 689d6a 7c6f64 928374 9d0006 79740e b57614 076678 8f3f71 427b58 3c3836',
  ),
  theme(
    'monokai',
    'Monokai',
    '272822',
    'f8f8f2',
    '272822 f92672 a6e22e f4bf75 66d9ef ae81ff a1efe4 f8f8f2 75715e f92672 a6e22e f4bf75 66d9ef ae81ff a1efe4 f9f8f5',
  ),
  theme(
    'nord',
    'Nord',
    '2e3440',
    'd8dee9',
    '3b4252 bf616a a3be8c ebcb8b 81a1c1 b48ead 88c0d0 e5e9f0 4c566a bf616a a3be8c ebcb8b 81a1c1 b48ead 8fbcbb eceff4',
  ),
  theme(
    'one-dark',
    'One Dark',
    '282c34',
    'abb2bf',
    '282c34 e06c75 98c379 e5c07b 61afef c678dd 56b6c2 abb2bf 5c6370 e06c75 98c379 e5c07b 61afef c678dd 56b6c2 ffffff',
  ),
  theme(
    'one-light',
    'One Light',
    'fafafa',
    '383a42',
    '383a42 e45649 50a14f c18401 4078f2 a626a4 0184bc a0a1a7 696c77 e45649 50a14f c18401 4078f2 a626a4 0184bc ffffff',
  ),
  theme(
    'rose-pine',
    'Rosé Pine',
    '191724',
    'e0def4',
    '26233a eb6f92 31748f f6c177 9ccfd8 c4a7e7 ebbcba e0def4 6e6a86 eb6f92 31748f f6c177 9ccfd8 c4a7e7 ebbcba e0def4',
  ),
  theme('solarized-dark', 'Solarized dark', '002b36', '839496', SOLARIZED),
  theme('solarized-light', 'Solarized light', 'fdf6e3', '657b83', SOLARIZED),
  theme(
    'tokyo-night',
    'Tokyo Night',
    '1a1b26',
    'c0caf5',
    '15161e f7768e 9ece6a e0af68 7aa2f7 bb9af7 7dcfff a9b1d6 414868 f7768e 9ece6a e0af68 7aa2f7 bb9af7 7dcfff c0caf5',
  ),
];
