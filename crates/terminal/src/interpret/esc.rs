//! Escape sequences that are neither control sequences nor strings.

use super::Interpreter;
use crate::grid::Charset;
use crate::scan::Verdict;
use crate::screen::Screen;

impl Interpreter {
    pub(super) fn escape(&mut self, intermediate: u8, last: u8, offset: u64) -> Verdict {
        let screen = &mut self.screen;
        screen.generation += 1;
        match (intermediate, last) {
            (0, b'7') => screen.save_cursor(),
            (0, b'8') => return self.restore(Screen::restore_cursor),
            (0, b'D') => screen.index(),
            (0, b'E') => {
                screen.buf_mut().x = 0;
                screen.index();
            }
            (0, b'H') => screen.set_tab(),
            (0, b'M') => screen.reverse_index(),
            (0, b'=' | b'>') => {
                screen.modes.app_keypad = last == b'=';
                self.note_modes(offset);
            }
            (0, b'c') => {
                self.full_reset(offset);
                // xterm.js leaves these as they were.
                return Verdict::KeepAnd(b"\x1b[?25h\x1b[?12l\x1b[20l\x1b[0 q\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\".to_vec());
            }
            (0, b'n') => screen.charsets.active = 2,
            (0, b'o') => screen.charsets.active = 3,
            (b'%', b'@' | b'G') => {
                screen.charsets.active = 0;
                screen.charsets.sets[0] = Charset::Ascii;
            }
            (b'(' | b')' | b'*' | b'+', _) => return self.designate(intermediate, last),
            (b'#', b'8') => {
                screen.alignment_pattern();
                if screen.modes.origin {
                    // xterm.js would start at the scroll region.
                    let mut bytes = b"\x1b[?6l\x1b#8\x1b[?6h".to_vec();
                    crate::snapshot::move_to(&mut bytes, screen);
                    return Verdict::Replace(bytes);
                }
            }
            _ => return Verdict::Drop,
        }
        Verdict::Keep
    }

    fn designate(&mut self, intermediate: u8, last: u8) -> Verdict {
        let set = match last {
            b'0' => Charset::Graphics,
            b'A' => Charset::British,
            _ => Charset::Ascii,
        };
        self.screen.charsets.sets[usize::from(intermediate - b'(')] = set;
        // National sets are not supported; without this xterm.js would translate by some of them.
        if matches!(last, b'0' | b'A' | b'B') {
            Verdict::Keep
        } else {
            Verdict::Replace(vec![0x1b, intermediate, b'B'])
        }
    }
}
