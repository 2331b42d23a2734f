//! The line that tells what an answer of Aider's model has used.

use belfry_protocol::transcript::Usage;

/// `Tokens: 2.4k sent, 1k cache write, 3k cache hit, 10 received. Cost: $0.0012 message, $0.0034 session.` None for any
/// other line. The numbers are rounded.
pub(super) fn read(line: &str) -> Option<Usage> {
    let rest = line.strip_prefix("Tokens: ")?;
    let (counts, cost) = rest.split_once("Cost:").unwrap_or((rest, ""));
    let mut usage = Usage { estimated: true, ..Usage::default() };
    for part in counts.split(',') {
        let (count, what) = part.trim().trim_end_matches('.').split_once(' ')?;
        let count = number(count)?;
        match what.trim_end_matches('.').trim() {
            "sent" => usage.input = count,
            "received" => usage.output = count,
            "cache write" => usage.cache_write = count,
            "cache hit" => usage.cache_read = count,
            _ => {}
        }
    }
    // What was sent has the hits in it.
    usage.context = Some(usage.input.saturating_add(usage.output));
    usage.input = usage.input.saturating_sub(usage.cache_read);
    let message = cost.split(',').find(|part| part.contains("message"));
    let dollars = message.and_then(|part| part.trim().trim_start_matches('$').split(' ').next());
    usage.cost = dollars.and_then(|dollars| dollars.parse().ok()).filter(|cost: &f64| cost.is_finite());
    Some(usage)
}

fn number(text: &str) -> Option<u64> {
    let (digits, unit) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1e3),
        None => match text.strip_suffix(['m', 'M']) {
            Some(digits) => (digits, 1e6),
            None => (text, 1.0),
        },
    };
    let number: f64 = digits.replace(',', "").parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some((number * unit).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        let usage = read("Tokens: 777 sent, 10 received.").unwrap();
        assert_eq!((usage.input, usage.output, usage.cost, usage.estimated), (777, 10, None, true));
        let line = "Tokens: 5.1k sent, 2k cache write, 3k cache hit, 1.2M received. Cost: $0.0012 message, $0.03 session.";
        let usage = read(line).unwrap();
        assert_eq!((usage.input, usage.cache_write, usage.cache_read), (2100, 2000, 3000));
        assert_eq!((usage.output, usage.cost, usage.context), (1_200_000, Some(0.0012), Some(1_205_100)));
        for other in ["Tokens:", "Tokens: many sent", "Model: x", ""] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
